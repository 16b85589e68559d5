/// The public id of a pairing: six lowercase letters and digits, without `l`, `o`, `0` and `1`.
struct PairingID: Hashable, Comparable, Sendable, CustomStringConvertible {
    private static let length = 6
    private static let alphabet = Array("abcdefghijkmnpqrstuvwxyz23456789".utf8)

    let description: String

    /// `nil` if no pairing has such an id. So an id can be a part of a file's name.
    init?(_ text: String) {
        guard text.utf8.count == Self.length, text.utf8.allSatisfy(Self.alphabet.contains) else {
            return nil
        }
        description = text
    }

    private init(letters: [UInt8]) { description = String(decoding: letters, as: UTF8.self) }

    static func random() -> Self {
        Self(letters: (0..<length).compactMap { _ in alphabet.randomElement() })
    }

    static func < (a: Self, b: Self) -> Bool { a.description < b.description }
}

/// The text of a link and of a cookie: `ID.SECRET`. The pairing's file has only a digest of it.
struct PairingToken: Equatable, Sendable {
    let id: PairingID
    private let secret: String

    /// The secret has 128 random bits, as 22 characters. A guesser needs 2^127 attempts, each of
    /// them a request; more bits would only make the QR code larger.
    static func random(for id: PairingID) -> Self {
        var generator = SystemRandomNumberGenerator()
        let bits = UInt128.random(in: .min ... .max, using: &generator)
        return Self(id: id, secret: withUnsafeBytes(of: bits) { Array($0).base64URL })
    }

    private init(id: PairingID, secret: String) {
        (self.id, self.secret) = (id, secret)
    }

    /// `nil` if the text has not the form of a token.
    init?(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 2, let id = PairingID(String(Substring(parts[0]))),
            parts[1].count == 22
        else { return nil }
        self.init(id: id, secret: String(Substring(parts[1])))
    }

    var text: String { "\(id).\(secret)" }

    var digest: Digest { Digest(of: text.utf8) }
}
