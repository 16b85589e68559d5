package import BusdEventLoop
package import Glibc

/// A port that is free on 127.0.0.1 now.
package func freePort() throws(SystemError) -> UInt16 {
    let socket = try newSocket(AF_INET, SOCK_STREAM)
    return try withAddress { address, size throws(SystemError) in
        var size = size
        try check("bind") { bind(socket.number, address, size) }
        try check("getsockname") { getsockname(socket.number, address, &size) }
        return address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
            UInt16(bigEndian: $0.pointee.sin_port)
        }
    }
}

/// Connects to a port of 127.0.0.1.
///
/// - Parameter host: the last byte of the client's address 127.0.0.N.
package func connectTCP(port: UInt16, from host: UInt32 = 1) throws(SystemError) -> Descriptor {
    let socket = try newSocket(AF_INET, SOCK_STREAM)
    try withAddress(host) { address, size throws(SystemError) in
        _ = try check("bind") { bind(socket.number, address, size) }
    }
    try withAddress(port: port) { address, size throws(SystemError) in
        _ = try check("connect") { Glibc.connect(socket.number, address, size) }
    }
    return socket
}

/// A socket that is bound to a path.
package func unixSocket(_ kind: __socket_type, at path: String) throws(SystemError) -> Descriptor {
    let socket = try newSocket(AF_UNIX, kind)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let status = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(socket.number, $0, size) }
    }
    try check("bind") { status }
    return socket
}

private func newSocket(_ family: Int32, _ kind: __socket_type) throws(SystemError) -> Descriptor {
    let kind = Int32(kind.rawValue | SOCK_CLOEXEC.rawValue)
    return Descriptor(socket: try check("socket") { socket(family, kind, 0) })
}

private func withAddress<Result>(
    _ host: UInt32 = 1, port: UInt16 = 0,
    _ body: (UnsafeMutablePointer<sockaddr>, socklen_t) throws(SystemError) -> Result
) throws(SystemError) -> Result {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = (0x7f00_0000 + host).bigEndian
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    return try withUnsafeMutablePointer(to: &address) { address throws(SystemError) in
        try address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            any throws(SystemError) in try body(any, size)
        }
    }
}
