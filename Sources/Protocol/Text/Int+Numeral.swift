extension Int {
    private static let numerals = (0..<100).map { String($0) }

    /// The decimal digits. Small numbers are prepared, because many events show some.
    public var numeral: String {
        if Self.numerals.indices.contains(self) { return Self.numerals[self] }
        return String(capacity: OutputSpan.longestDecimal) { $0.append(decimal: self) }
    }
}
