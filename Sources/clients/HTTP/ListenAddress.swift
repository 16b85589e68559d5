package import BusdEventLoop
// Its header includes those of sockets, so the compiler may count their types to it.
import CBusdMicrohttpd
import Glibc

/// A numeric address and a port, such as `127.0.0.1:8080` or `[::1]:8080`.
package struct ListenAddress: Hashable, CustomStringConvertible {
    private enum Family: Hashable {
        case four
        case six

        var number: Int32 { self == .six ? AF_INET6 : AF_INET }

        /// The text of an address of this family, if it is not one of this machine or of a link.
        func networkHost(_ address: UnsafePointer<sockaddr>) -> String? {
            let family = Int32(address.pointee.sa_family)  // fits: 16 bits do
            guard family == number else { return nil }
            let offset =
                self == .six
                ? MemoryLayout<sockaddr_in6>.offset(of: \.sin6_addr)
                : MemoryLayout<sockaddr_in>.offset(of: \.sin_addr)
            let bytes = UnsafeRawPointer(address) + (offset ?? 0)
            let start = bytes.loadUnaligned(as: UInt16.self).bigEndian
            guard let host = text(of: bytes) else { return nil }
            switch self {
            case .four: return start >> 8 == 127 || start == 0xA9FE ? nil : host
            case .six: return host == "::1" || start & 0xFFC0 == 0xFE80 ? nil : host
            }
        }

        /// An address of this family as text.
        func text(of address: UnsafeRawPointer) -> String? {
            var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
            let size = socklen_t(text.count)  // fits: it is 46
            guard inet_ntop(number, address, &text, size) != nil else { return nil }
            return String(
                decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        }
    }

    private let family: Family
    private let host: String
    package let port: UInt16

    /// The default of `--listen`.
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
    /// address of a network in the same family.
    package var reachable: ListenAddress {
        var all: UnsafeMutablePointer<ifaddrs>?
        guard isAny, getifaddrs(&all) == 0 else { return self }
        defer { freeifaddrs(all) }
        for entry in sequence(first: all, next: { $0?.pointee.ifa_next }) {
            guard let address = entry?.pointee.ifa_addr, let host = family.networkHost(address)
            else { continue }
            return Self(family: family, host: host, port: port)
        }
        return self
    }

    /// Whether the socket has all addresses of the machine: `0.0.0.0`, `[::]` or `[0::0]`.
    private var isAny: Bool {
        var address = in6_addr()
        guard inet_pton(family.number, host, &address) == 1 else { return false }
        return withUnsafeBytes(of: address) { $0.allSatisfy { $0 == 0 } }
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
        let flags = Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let type = Int32(SOCK_STREAM.rawValue) | flags
        let socket = Descriptor(
            socket: try check("socket") { Glibc.socket(family.number, type, 0) })
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
        return (socket, Self(of: socket) ?? self)
    }

    /// Nil for a socket that is not of a network.
    package init?(of socket: Descriptor) {
        var address = sockaddr_in6()
        var size = socklen_t(MemoryLayout<sockaddr_in6>.size)  // fits: it is 28
        let host = withUnsafeMutableBytes(of: &address) { bytes -> (Family, String)? in
            let start = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self)
            guard let start, getsockname(socket.number, start, &size) == 0 else { return nil }
            let number = Int32(start.pointee.sa_family)  // fits: 16 bits do
            let isFour = number == AF_INET
            guard isFour || number == AF_INET6 else { return nil }
            let family = isFour ? Family.four : .six
            return family.text(of: UnsafeRawPointer(start) + (isFour ? 4 : 8)).map { (family, $0) }
        }
        guard let (family, host) = host else { return nil }
        // The port is at the same place in both families.
        self.init(family: family, host: host, port: UInt16(bigEndian: address.sin6_port))
    }
}
