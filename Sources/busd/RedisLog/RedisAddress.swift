/// The address of Redis: `unix:/run/redis/redis.sock` or `tcp:court.local:6379`.
package enum RedisAddress: Equatable, Sendable, CustomStringConvertible {
    case unix(path: String)
    case tcp(host: String, port: UInt16)

    /// `nil` if the text is not an address. An IPv6 address is written in brackets.
    package init?(_ text: String) {
        let bytes = text.utf8
        guard !bytes.contains(0) else { return nil }
        if bytes.starts(with: "unix:/".utf8) {
            self = .unix(path: String(Substring(bytes.dropFirst(5))))
            return
        }
        guard bytes.starts(with: "tcp:".utf8),
            let colon = bytes.lastIndex(of: UInt8(ascii: ":")),
            case let digits = String(Substring(bytes[bytes.index(after: colon)...])),
            let port = UInt16(digits), port > 0  // fits: else it is nil
        else { return nil }
        var host = bytes[..<colon].dropFirst(4)
        if host.first == UInt8(ascii: "["), host.last == UInt8(ascii: "]") {
            host = host.dropFirst().dropLast()
        }
        guard !host.isEmpty else { return nil }
        self = .tcp(host: String(Substring(host)), port: port)
    }

    package var description: String {
        switch self {
        case .unix(let path): "unix:\(path)"
        case .tcp(let host, let port):
            host.utf8.contains(UInt8(ascii: ":")) ? "tcp:[\(host)]:\(port)" : "tcp:\(host):\(port)"
        }
    }
}
