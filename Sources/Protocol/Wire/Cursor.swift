/// The position of a view in the events of a view model: a mark for this incarnation of the view
/// model, a colon, and `seq` (docs/protocol.md, "Coming back").
public struct Cursor: Equatable, Sendable, CustomStringConvertible {
    /// Lowercase letters and digits. A view model that is made again has another mark.
    public let mark: String
    /// The number of the last event of the view model that the position includes; 0: none.
    public let seq: Int

    /// Takes the values unchecked.
    public init(mark: String, seq: Int) {
        self.mark = mark
        self.seq = seq
    }

    /// `nil` if the text does not have the form of a cursor.
    public init?(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, (1...19).contains(parts[1].count),
            parts[0].allSatisfy(Self.isMarkByte), parts[1].allSatisfy(\.isDigit),
            let mark = String(parts[0]), let digits = String(parts[1]), let seq = Int(peer: digits)
        else { return nil }
        self.init(mark: mark, seq: seq)
    }

    private static func isMarkByte(_ byte: UInt8) -> Bool {
        byte.isDigit || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
    }

    public var description: String { "\(mark):\(seq)" }
}
