/// The name of a daemon. The default places of its sockets and of its state follow from it, so
/// daemons with different names never share a place.
///
///     let daemon: DaemonName = "counterd"
///     daemon.socketVariable  // COUNTERD_SOCKET
///     daemon.systemSocket    // /run/counterd/counterd.sock
///
/// A literal can be any text. `BusDaemon.run` refuses a name that has a `problem`.
public struct DaemonName: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The name, such as `busd`. It may have a `problem`.
    public let text: String

    /// In bytes. The path of a socket, which contains the name twice, has at most 107.
    private static let longest = 32

    /// Takes any text; a bad name has a `problem`.
    public init(_ text: String) { self.text = text }

    public init(stringLiteral text: String) { self.init(text) }

    /// The name of the daemon of this package.
    public static let busd: DaemonName = "busd"

    public var description: String { text }

    /// Why no daemon can have this name; `nil` for a good one.
    public var problem: String? {
        let bytes = text.utf8
        let isPlain = bytes.allSatisfy { byte in
            byte.isDigit || byte.isLetter && byte >= UInt8(ascii: "a") || byte == UInt8(ascii: "-")
        }
        let beginsWithLetter = bytes.first.map { $0 >= UInt8(ascii: "a") } ?? false
        guard isPlain, beginsWithLetter, bytes.count <= Self.longest else {
            return "a daemon's name must have 1 to \(Self.longest) characters: lowercase letters, "
                + "digits and '-', with a letter first"
        }
        return nil
    }

    // MARK: Places

    /// The environment variable with the path of the control socket, for clients.
    public var socketVariable: String {
        let bytes = text.utf8.map { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"): byte & 0xDF
            case UInt8(ascii: "-"): UInt8(ascii: "_")
            default: byte
            }
        }
        return String(decoding: bytes, as: UTF8.self) + "_SOCKET"
    }

    /// The control socket of the daemon that serves the whole machine.
    public var systemSocket: String { socket(in: "/run") }

    /// The control socket in a runtime folder, such as `$XDG_RUNTIME_DIR`.
    public func socket(in folder: String) -> String { "\(folder)/\(text)/\(text).sock" }

    /// The paths at which a client looks for the control socket, in this order: `given`; else the
    /// value of `socketVariable`; else the socket of the user's daemon, then of the machine's.
    ///
    /// `variable` returns the value of an environment variable.
    public func sockets(given: String?, variable: (String) -> String?) -> [String] {
        func set(_ name: String) -> String? { variable(name).flatMap { $0.isEmpty ? nil : $0 } }
        if let path = given ?? set(socketVariable) { return [path] }
        return (set("XDG_RUNTIME_DIR").map { [socket(in: $0)] } ?? []) + [systemSocket]
    }
}
