// A terminal obeys some characters and shows nothing for others. Text that a peer, a file or an
// argument chose may hold both: escape sequences, marks that turn the direction of writing, and
// characters that make two different names look alike. All of it that a program prints or draws
// goes by the one table below.

extension Unicode.Scalar {
    /// A terminal obeys this character, or shows nothing for it: controls (C0, DEL, C1), line and
    /// paragraph separators, marks of direction, and characters without a glyph (Unicode's
    /// "default ignorable"). Joiners and variation selectors are not among them: emoji and many
    /// scripts need them; see `Joints`.
    package var isUnprintable: Bool {
        switch value {
        case 0x20..<0x7F: return false
        case 0..<0xA0: return true
        case 0xA0..<0xAD: return false
        // Marks of interlinear annotation, which are not among the default ignorable.
        case 0xFFF9...0xFFFB: return true
        default: break
        }
        switch properties.generalCategory {
        case .lineSeparator, .paragraphSeparator: return true
        default: return properties.isDefaultIgnorableCodePoint && Joints.Sort(of: self) == nil
        }
    }
}

/// Joiners and variation selectors: invisible, and needed between the characters that they join. A
/// run of them says nothing to a reader, so only those are kept that stand where they can work.
struct Joints {
    enum Sort {
        case joiner
        case selector

        init?(of scalar: Unicode.Scalar) {
            if 0x200C...0x200D ~= scalar.value {
                self = .joiner
            } else if scalar.properties.isVariationSelector {
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
    /// The text for a line on a terminal or in a log: each character that a terminal would obey or
    /// hide is spelled out, such as `\u{1B}`. A line feed is spelled out, too.
    public var printable: String {
        if utf8.allSatisfy({ 0x20..<0x7F ~= $0 }) { return self }
        var joints = Joints()
        var result = ""
        result.reserveCapacity(utf8.count)
        for scalar in unicodeScalars {
            if joints.keeps(scalar) {
                result.unicodeScalars.append(scalar)
            } else {
                result += scalar.escaped(asASCII: true)
            }
        }
        return result
    }

    /// The same for a text of several lines, which stay lines.
    public var printableLines: String {
        unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
            .map { String($0).printable }.joined(separator: "\n")
    }
}

/// JSON for a terminal, which reads back as the same: what a terminal would obey or hide is escaped
/// in texts, and white space between values is a space.
///
/// - Parameter json: one whole value, valid and in UTF-8.
package func printable(json: ArraySlice<UInt8>) -> [UInt8] {
    if json.allSatisfy({ 0x20..<0x7F ~= $0 }) { return Array(json) }
    var joints = Joints()
    var out: [UInt8] = []
    out.reserveCapacity(json.count)
    for scalar in String(decoding: json, as: UTF8.self).unicodeScalars {
        if joints.keeps(scalar) {
            out.append(contentsOf: String(scalar).utf8)
        } else if scalar.value < 0x20 {
            // In a text it would be escaped already.
            out.append(UInt8(ascii: " "))
        } else {
            for unit in String(scalar).utf16 { out += escape(unit) }
        }
    }
    return out
}

private func escape(_ unit: UInt16) -> [UInt8] {
    let digits = String(unit, radix: 16)
    return Array(("\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits).utf8)
}
