extension String {
    /// How many columns a terminal needs to show this.
    public var columns: Int { Glyph.glyphs(of: self).columns }

    /// As much of the text as goes into so many columns; where some had to go, its last one is `…`.
    public func fitted(to columns: Int) -> String {
        let glyphs = Glyph.glyphs(of: self)
        if glyphs.columns <= columns { return glyphs.map(\.text).joined() }
        guard columns > 0 else { return "" }
        var room = columns - 1
        let kept = glyphs.prefix { glyph in
            room -= glyph.columns
            return room >= 0
        }
        return kept.map(\.text).joined() + "…"
    }

    /// For a line that goes to a terminal, or a log: what a terminal would obey is replaced, and
    /// all else is left as it is.
    public var printable: String {
        var result = ""
        for scalar in unicodeScalars {
            result.unicodeScalars.append(scalar.isObeyed ? "\u{FFFD}" : scalar)
        }
        return result
    }
}

extension Collection where Element == Glyph {
    var columns: Int { reduce(0) { $0 + $1.columns } }
}

extension Unicode.Scalar {
    /// Controls, line separators, and what turns the direction of writing.
    private static let directions: [ClosedRange<UInt32>] = [
        0x200E...0x200F, 0x202A...0x202E, 0x2066...0x2069,
    ]

    fileprivate var isObeyed: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        case .format: Self.directions.contains { $0 ~= value }
        default: false
        }
    }
}
