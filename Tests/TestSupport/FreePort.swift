package import BusdEventLoop
import Glibc

/// A port that is free on 127.0.0.1 now.
package func freePort() throws(SystemError) -> UInt16 {
    let number = try check("socket") {
        socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    }
    let descriptor = Descriptor(socket: number)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    return try withUnsafeMutablePointer(to: &address) { address throws(SystemError) in
        try address.withMemoryRebound(to: sockaddr.self, capacity: 1) { any throws(SystemError) in
            try check("bind") { bind(descriptor.number, any, size) }
            try check("getsockname") { getsockname(descriptor.number, any, &size) }
        }
        return UInt16(bigEndian: address.pointee.sin_port)
    }
}
