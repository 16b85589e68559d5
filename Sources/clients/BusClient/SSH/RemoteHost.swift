import BusdProtocol
import Glibc

/// Another machine, by its name for ssh(1): `court`, `ann@court`, or an alias of `~/.ssh/config`.
public struct RemoteHost: Hashable, Sendable, CustomStringConvertible {
    /// Passed to ssh unchanged: `court` or `ann@court`.
    public let name: String

    public var description: String { name }

    /// Nil if ssh could take the name for an option, or if it cannot be a host: it is empty, or has
    /// a space or a control character.
    public init?(_ name: String) {
        let isPlain = name.unicodeScalars.allSatisfy { scalar in
            scalar.value > 0x20 && !(0x7F...0x9F ~= scalar.value)
        }
        let host = name.utf8.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
        guard isPlain, host.allSatisfy({ !$0.isEmpty && $0.first != UInt8(ascii: "-") }) else {
            return nil
        }
        self.name = name
    }

    /// The given name cannot be a host. `message` is for a usage error.
    package struct Malformed: Error {
        package let message: String
    }

    /// The host of `--host`, else of `BUSD_HOST`; nil for this machine. An empty variable counts as
    /// none.
    package static func choice(
        given: String?,
        variable: String? = getenv("BUSD_HOST").map { String(cString: $0) }
    ) throws(Malformed) -> RemoteHost? {
        let expected = "a host for ssh, such as ann@court"
        if let given {
            if let host = RemoteHost(given) { return host }
            throw Malformed(message: "--host needs \(expected), not '\(given)'")
        }
        guard let variable, !variable.isEmpty else { return nil }
        if let host = RemoteHost(variable) { return host }
        throw Malformed(message: "set BUSD_HOST to \(expected), not '\(variable)'")
    }
}
