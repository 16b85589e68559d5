import BusdProtocol

extension Int {
    private static let numerals = (0..<100).map { String($0) }

    /// The decimal digits. Numbers that are common in a game are prepared, because each move shows
    /// some.
    var numeral: String {
        if Self.numerals.indices.contains(self) { return Self.numerals[self] }
        return String(capacity: OutputSpan.longestDecimal) { $0.append(decimal: self) }
    }
}
