// A terminal executes some characters and shows nothing for others. Text from a peer, a file or an
// argument may have both: escape sequences, marks that change the direction of writing, and
// invisible characters that make different names look alike. All programs print and draw such text
// by the table below.

extension Unicode.Scalar {
    /// Whether a terminal executes this character, or shows nothing for it: controls (C0, DEL, C1),
    /// line and paragraph separators, marks of direction, and characters without a glyph (Unicode's
    /// "default ignorable"). Joiners and variation selectors are excluded, because emoji and many
    /// scripts need them; see `JoinerState`.
    package var isUnprintable: Bool {
        switch value {
        case 0x20..<0x7F: return false
        case 0..<0xA0: return true
        case 0xA0..<0xAD: return false
        // Marks of interlinear annotation, which are not "default ignorable".
        case 0xFFF9...0xFFFB: return true
        default: break
        }
        return isSeparator || isIgnorable && JoinerState.Sort(of: self) == nil
    }

    private var isSeparator: Bool { 0x2028...0x2029 ~= value }

    /// Unicode's "default ignorable". Looking up the property would take 20 times as long, and a
    /// hostile daemon may send millions of such characters. A test compares the two.
    private var isIgnorable: Bool {
        switch value {
        case 0xAD, 0x34F, 0x61C, 0x115F...0x1160, 0x17B4...0x17B5, 0x180B...0x180F: true
        case 0x200B...0x200F, 0x202A...0x202E, 0x2060...0x206F, 0x3164: true
        case 0xFE00...0xFE0F, 0xFEFF, 0xFFA0, 0xFFF0...0xFFF8: true
        case 0x1BCA0...0x1BCA3, 0x1D173...0x1D17A, 0xE0000...0xE0FFF: true
        default: false
        }
    }

    fileprivate var isVariationSelector: Bool {
        switch value {
        case 0x180B...0x180D, 0x180F, 0xFE00...0xFE0F, 0xE0100...0xE01EF: true
        default: false
        }
    }
}

/// Joiners and variation selectors are invisible, but needed between the characters that they join.
/// A joiner has no effect at the start of a text or behind another joiner; a selector has none at
/// the start or behind either of them. Only those with an effect are printed.
struct JoinerState {
    enum Sort {
        case joiner
        case selector

        init?(of scalar: Unicode.Scalar) {
            if 0x200C...0x200D ~= scalar.value {
                self = .joiner
            } else if scalar.isVariationSelector {
                self = .selector
            } else {
                return nil
            }
        }
    }

    private var last: Sort?
    private var isFirst = true

    /// Whether the next character of a text is printed as it is.
    mutating func keeps(_ scalar: Unicode.Scalar) -> Bool {
        if 0x20..<0x7F ~= scalar.value {
            (last, isFirst) = (nil, false)
            return true
        }
        let sort = Sort(of: scalar)
        defer { (last, isFirst) = (sort, false) }
        switch sort {
        case nil: return !scalar.isUnprintable
        case .selector: return !isFirst && last == nil
        case .joiner: return !isFirst && last != .joiner
        }
    }
}

extension String {
    /// The text for a line on a terminal or in a log: each character that a terminal would execute
    /// or hide is escaped, such as `\u{1B}`. A line feed is escaped, too.
    public var printable: String {
        if utf8.allSatisfy({ 0x20..<0x7F ~= $0 }) { return self }
        var joiners = JoinerState()
        var result = ""
        result.reserveCapacity(utf8.count)
        for scalar in unicodeScalars {
            if joiners.keeps(scalar) {
                result.unicodeScalars.append(scalar)
            } else {
                result += scalar.escaped(asASCII: true)
            }
        }
        return result
    }

    /// `printable` for a text of several lines: line feeds stay.
    public var printableLines: String {
        unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
            .map { String($0).printable }.joined(separator: "\n")
    }
}

/// JSON for a terminal, with the same value. Characters that a terminal would execute or hide are
/// escaped in texts; line feeds and tabs between values become spaces.
///
/// - Parameter json: one whole value, valid and in UTF-8.
package func printable(json: ArraySlice<UInt8>) -> [UInt8] {
    if json.allSatisfy({ 0x20..<0x7F ~= $0 }) { return Array(json) }
    var joiners = JoinerState()
    var out: [UInt8] = []
    out.reserveCapacity(json.count)
    let text = String(decoding: json, as: UTF8.self)
    // Bytes from `start` to `place` are printed as they are, and have not been copied yet.
    var (start, place) = (json.startIndex, json.startIndex)
    for scalar in text.unicodeScalars {
        let next = place + UTF8.width(scalar)
        if !joiners.keeps(scalar) {
            out.append(contentsOf: json[start..<place])
            out.append(escaping: scalar)
            start = next
        }
        place = next
    }
    out.append(contentsOf: json[start..<place])
    return out
}

extension [UInt8] {
    fileprivate mutating func append(escaping scalar: Unicode.Scalar) {
        // A control stands only between values: in a text it is escaped already.
        guard scalar.value >= 0x20 else { return append(UInt8(ascii: " ")) }
        for unit in UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter {
            append(addingCapacity: 6) { out in
                out.append("\\u")
                for shift in [12, 8, 4, 0] {
                    let digit = UInt8(truncatingIfNeeded: unit >> UInt16(shift) & 0xF)  // fits: 12
                    out.append(digit &+ (digit < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") &- 10))
                }
            }
        }
    }
}
