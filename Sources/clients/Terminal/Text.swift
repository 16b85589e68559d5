extension String {
    /// The columns that a terminal needs to show this.
    public var columns: Int { Glyph.glyphs(of: self).columns }

    /// The beginning of the text that fits into these columns. If it is cut, it ends with `…`.
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
}

extension Collection where Element == Glyph {
    var columns: Int { reduce(0) { $0 + $1.columns } }
}
