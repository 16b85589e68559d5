/// Replaces what the library for regular expressions would offer, which makes each program larger.
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
}

extension String {
    /// This text with `text` in place of each `scalar`.
    package func replacing(_ scalar: Unicode.Scalar, with text: String) -> String {
        var replaced = String.UnicodeScalarView()
        for each in unicodeScalars {
            if each == scalar {
                replaced.append(contentsOf: text.unicodeScalars)
            } else {
                replaced.append(each)
            }
        }
        return String(replaced)
    }
}
