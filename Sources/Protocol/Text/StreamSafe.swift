extension String {
    /// The text with at most 30 consecutive marks (non-starters); further ones are left out. No
    /// language needs more: 30 is the limit of the Stream-Safe Text Format (UAX #15). Hashing and
    /// comparing texts takes time quadratic in the length of a run of marks.
    package var streamSafe: String {
        guard !isStreamSafe else { return self }
        var run = 0
        var result = UnicodeScalarView()
        for scalar in unicodeScalars {
            run = scalar.isNonStarter ? run + 1 : 0
            if run <= mostNonStarters { result.append(scalar) }
        }
        return String(result)
    }

    /// Whether it has at most 30 consecutive marks. The wire refuses other texts. A view model
    /// checks a text that it has made from another one.
    public var isStreamSafe: Bool {
        guard utf8.count > mostNonStarters else { return true }
        var run = 0
        for scalar in unicodeScalars {
            run = scalar.isNonStarter ? run + 1 : 0
            if run > mostNonStarters { return false }
        }
        return true
    }
}

private let mostNonStarters = 30

extension Unicode.Scalar {
    /// Whether its combining class is not 0.
    var isNonStarter: Bool {
        switch value {
        // Latin; Hangul syllables and the common ideographs.
        case 0..<0x300, 0x3400..<0xA000, 0xAC00..<0xD800: false
        default: properties.canonicalCombiningClass != .notReordered
        }
    }
}
