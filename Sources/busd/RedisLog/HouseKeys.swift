package import BusdProtocol
import Glibc

/// The name of a house, and its keys in Redis.
package struct HouseName: Equatable, Sendable, CustomStringConvertible {
    package let description: String
    /// The daemons of the house have this name.
    package let daemon: DaemonName

    /// `nil` unless the text is 1 to 32 letters, digits, dashes and dots.
    package init?(_ text: String, of daemon: DaemonName = .busd) {
        let isPlain = text.utf8.allSatisfy { byte in
            byte.isLetterOrDigit || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
        }
        guard isPlain, 1...32 ~= text.utf8.count else { return nil }
        (description, self.daemon) = (text, daemon)
    }

    func key(_ name: String) -> String { "\(daemon):\(description):\(name)" }

    var head: String { key("head") }
    var log: String { key("log") }
    var origins: String { key("origins") }
    var rows: String { key("rows") }
    var digests: String { key("digests") }
}

/// 16 random bytes in hexadecimal digits: an origin, or the identity of a house.
func randomName() -> String {
    var generator = SystemRandomNumberGenerator()
    return (0..<2).map { _ in hexadecimal(generator.next()) }.joined()
}
