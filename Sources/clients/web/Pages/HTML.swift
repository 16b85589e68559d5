/// Markup. Only a literal in the source becomes markup; each interpolated text is escaped, so no
/// text of a view model can open an element or leave an attribute.
///
///     let cell: HTML = "<td data-value=\"\(name)\">\(value)</td>"
///
/// The escapes are the same between tags and in a quoted attribute. Every attribute is quoted.
package struct HTML: ExpressibleByStringInterpolation {
    /// UTF-8.
    package private(set) var bytes: [UInt8] = []

    package init(stringLiteral literal: StaticString) {
        literal.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }

    package init(stringInterpolation: StringInterpolation) { bytes = stringInterpolation.bytes }

    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var bytes: [UInt8] = []

        package init(literalCapacity: Int, interpolationCount: Int) {
            bytes.reserveCapacity(literalCapacity)
        }

        package mutating func appendLiteral(_ literal: StaticString) {
            literal.withUTF8Buffer { bytes.append(contentsOf: $0) }
        }

        /// A text, escaped. Nothing for a text that is not known.
        package mutating func appendInterpolation(_ text: String?) {
            var text = text ?? ""
            text.withUTF8 { append(escaping: $0) }
        }

        /// A number. Nothing for a number that is not known.
        package mutating func appendInterpolation(_ number: Int?) {
            if let number { bytes.append(contentsOf: String(number).utf8) }
        }

        /// Markup. Nothing for markup that is left out.
        package mutating func appendInterpolation(_ html: HTML?) {
            if let html { bytes.append(contentsOf: html.bytes) }
        }

        /// Markup, one after the other.
        package mutating func appendInterpolation(_ list: [HTML]) {
            for html in list { bytes.append(contentsOf: html.bytes) }
        }

        private mutating func append(escaping text: UnsafeBufferPointer<UInt8>) {
            bytes.reserveCapacity(bytes.count + text.count)
            var index = 0
            while index < text.count {
                let byte = text[index]
                // HTML has no form for U+0080 to U+009F.
                if byte == 0xC2, index + 1 < text.count, text[index + 1] < 0xA0 {
                    bytes.append(contentsOf: "\u{FFFD}".utf8)
                    index += 1
                } else {
                    append(escaping: byte)
                }
                index += 1
            }
        }

        private mutating func append(escaping byte: UInt8) {
            switch byte {
            case UInt8(ascii: "&"): bytes.append(contentsOf: "&amp;".utf8)
            case UInt8(ascii: "<"): bytes.append(contentsOf: "&lt;".utf8)
            case UInt8(ascii: ">"): bytes.append(contentsOf: "&gt;".utf8)
            case UInt8(ascii: "\""): bytes.append(contentsOf: "&quot;".utf8)
            case UInt8(ascii: "'"): bytes.append(contentsOf: "&#39;".utf8)
            case UInt8(ascii: "\t"), UInt8(ascii: "\n"): bytes.append(byte)
            // Nor for other controls.
            case 0..<0x20, 0x7F: bytes.append(contentsOf: "\u{FFFD}".utf8)
            default: bytes.append(byte)
            }
        }
    }
}
