import BusdProtocol
import Glibc

/// The names under which browsers may reach a server.
///
/// A page of another origin can let its own name lead to this server (DNS rebinding). The browser
/// then sends that name as `Host`, so a name that is not listed is refused.
package struct HTTPHosts {
    private let names: [String]

    /// - Parameter names: names without a port. Addresses and `localhost` are always allowed.
    package init(names: [String]) {
        self.names = names.map { $0.lowercased() }  // text: options of the administrator
    }

    /// Whether the text can be a name: letters, digits, `-` and `.`.
    package static func isName(_ text: String) -> Bool {
        (1...253).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                byte.isLetterOrDigit || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
            }
    }

    /// Whether `Host` may have this value, with a port or without one.
    package func allow(_ host: String) -> Bool {
        let host = host.lowercased()  // text: it takes linear time
        guard let name = Self.nameWithoutPort(host) else { return false }
        return name.isExactly("localhost") || Self.isAddress(name)
            || names.contains { $0.isExactly(name) }
    }

    /// Whether `Origin` is a page of this server, as `Host` of the same request names it.
    package static func isSameOrigin(_ origin: String, host: String, isSecure: Bool) -> Bool {
        origin.isExactly("\(isSecure ? "https" : "http")://\(host)")
    }

    private static func nameWithoutPort(_ host: String) -> String? {
        let bytes = Array(host.utf8)
        var end = bytes.count
        if let colon = bytes.lastIndex(of: UInt8(ascii: ":")), bytes.last != UInt8(ascii: "]") {
            let port = bytes[(colon + 1)...]
            guard (1...5).contains(port.count), port.allSatisfy(\.isDigit) else { return nil }
            end = colon
        }
        return end == 0 ? nil : String(decoding: bytes[..<end], as: UTF8.self)
    }

    private static func isAddress(_ name: String) -> Bool {
        var address = in6_addr()
        if name.utf8.first == UInt8(ascii: "["), name.utf8.last == UInt8(ascii: "]") {
            return inet_pton(AF_INET6, String(name.dropFirst().dropLast()), &address) == 1
        }
        return inet_pton(AF_INET, name, &address) == 1
    }
}
