extension Int {
    private static let numerals = (0..<100).map { String($0) }

    /// Its digits. Those of what is counted in a game, which moves show again and again, are there.
    var numeral: String {
        Self.numerals.indices.contains(self) ? Self.numerals[self] : String(self)
    }
}
