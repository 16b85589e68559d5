extension Int {
    private static let numerals = (0..<100).map { String($0) }

    /// The decimal digits. Numbers that are common in a game are prepared, because each move shows
    /// some.
    var numeral: String {
        Self.numerals.indices.contains(self) ? Self.numerals[self] : String(self)
    }
}
