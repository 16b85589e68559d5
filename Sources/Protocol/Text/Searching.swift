/// In place of the library for regular expressions, which makes each program larger.
extension Collection where Element: Equatable {
    /// The first place at which `piece` stands; `nil`: nowhere.
    package func firstRange(of piece: some Collection<Element>) -> Range<Index>? {
        var start = startIndex
        while true {
            var end = start
            var wanted = piece[...]
            while end != endIndex, wanted.first == self[end] {
                wanted.removeFirst()
                formIndex(after: &end)
            }
            if wanted.isEmpty { return start..<end }
            if end == endIndex { return nil }
            formIndex(after: &start)
        }
    }

    /// The last place at which `piece` stands, without overlaps; `nil`: nowhere.
    package func lastRange(of piece: some Collection<Element>) -> Range<Index>? {
        var last: Range<Index>?
        var rest = self[...]
        while !piece.isEmpty, let found = rest.firstRange(of: piece) {
            last = found
            rest = rest[found.upperBound...]
        }
        return last
    }
}

extension String {
    /// This text with `new` in place of each `old`.
    package func replacing(_ old: String, with new: String) -> String {
        var (rest, text) = (unicodeScalars[...], String.UnicodeScalarView())
        while !old.isEmpty, let found = rest.firstRange(of: old.unicodeScalars) {
            text.append(contentsOf: rest[..<found.lowerBound])
            text.append(contentsOf: new.unicodeScalars)
            rest = rest[found.upperBound...]
        }
        text.append(contentsOf: rest)
        return String(text)
    }
}
