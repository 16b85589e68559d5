package import BusdEventLoop
// Its header includes those of sockets, so the compiler may count their types to it.
import CBusdMicrohttpd
import Glibc

/// A numeric address and a port, such as `127.0.0.1:8080` or `[::1]:8080`.
package struct ListenAddress: Hashable, CustomStringConvertible {
    private enum Family: Hashable {
        case four
        case six
    }

    private let family: Family
    private let host: String
    package let port: UInt16

    /// The address, the port and the number 0 for any free port.
    package static let usual = Self(family: .four, host: "127.0.0.1", port: 8_080)

    private init(family: Family, host: String, port: UInt16) {
        (self.family, self.host, self.port) = (family, host, port)
    }

    /// `nil` unless the text is a numeric address, a colon and a port. Port 0 is any free port.
    package init?(_ text: String) {
        guard let colon = text.utf8.lastIndex(of: UInt8(ascii: ":")),
            let port = UInt16(text[text.utf8.index(after: colon)...])  // fits: else it is nil
        else { return nil }
        let host = text[..<colon]
        if host.utf8.first == UInt8(ascii: "["), host.utf8.last == UInt8(ascii: "]") {
            self.init(family: .six, host: String(host.dropFirst().dropLast()), port: port)
        } else {
            self.init(family: .four, host: String(host), port: port)
        }
        guard bytes(port) != nil else { return nil }
    }

    package var description: String { "\(hostInURL):\(port)" }

    /// The address as a URL has it.
    package var hostInURL: String { family == .six ? "[\(host)]" : host }

    /// Whether only this machine can reach the address.
    package var isLoopback: Bool {
        switch family {
        case .four: host.utf8.starts(with: "127.".utf8)
        case .six: host == "::1"
        }
    }

    /// The address under which others reach this machine: for `0.0.0.0` and `[::]`, the first
    /// address of a network.
    package var reachable: ListenAddress {
        guard host == "0.0.0.0" || host == "::" else { return self }
        var all: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&all) == 0 else { return self }
        defer { freeifaddrs(all) }
        for entry in sequence(first: all, next: { $0?.pointee.ifa_next }) {
            guard let address = entry?.pointee.ifa_addr,
                Int32(address.pointee.sa_family) == AF_INET  // fits: 16 bits do
            else { continue }
            let number = address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                UInt32(bigEndian: $0.pointee.sin_addr.s_addr)
            }
            if number >> 24 == 127 { continue }
            let parts = (0..<4).map { String(number >> (24 - 8 * $0) & 0xFF) }
            return Self(family: .four, host: parts.joined(separator: "."), port: port)
        }
        return self
    }

    /// The socket's address in the kernel's form; nil if the text of the host is not an address.
    private func bytes(_ port: UInt16) -> [UInt8]? {
        switch family {
        case .four:
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)  // fits: it is 2
            address.sin_port = port.bigEndian
            guard inet_pton(AF_INET, host, &address.sin_addr) == 1 else { return nil }
            return withUnsafeBytes(of: address) { Array($0) }
        case .six:
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)  // fits: it is 10
            address.sin6_port = port.bigEndian
            guard inet_pton(AF_INET6, host, &address.sin6_addr) == 1 else { return nil }
            return withUnsafeBytes(of: address) { Array($0) }
        }
    }

    /// Opens a socket that listens, and returns it with the address, which has the real port.
    package func listen() throws(SystemError) -> (socket: Descriptor, address: ListenAddress) {
        let domain = family == .six ? AF_INET6 : AF_INET
        let flags = Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let type = Int32(SOCK_STREAM.rawValue) | flags
        let socket = Descriptor(socket: try check("socket") { Glibc.socket(domain, type, 0) })
        // A restarted server takes its port again at once.
        var yes: Int32 = 1
        let size = socklen_t(MemoryLayout<Int32>.size)  // fits: it is 4
        setsockopt(socket.number, SOL_SOCKET, SO_REUSEADDR, &yes, size)
        if family == .six {
            setsockopt(socket.number, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &yes, size)
        }
        let name = bytes(port) ?? []
        try check("bind") {
            name.withUnsafeBytes {
                bind(
                    socket.number, $0.baseAddress?.assumingMemoryBound(to: sockaddr.self),
                    socklen_t($0.count))  // fits: it is 28 at most
            }
        }
        try check("listen") { Glibc.listen(socket.number, SOMAXCONN) }
        return (socket, Self(family: family, host: host, port: Self.port(of: socket)))
    }

    private static func port(of socket: Descriptor) -> UInt16 {
        var address = sockaddr_in6()
        var size = socklen_t(MemoryLayout<sockaddr_in6>.size)  // fits: it is 28
        withUnsafeMutableBytes(of: &address) {
            _ = getsockname(
                socket.number, $0.baseAddress?.assumingMemoryBound(to: sockaddr.self), &size)
        }
        // The port is at the same place in both families.
        return UInt16(bigEndian: address.sin6_port)
    }
}
