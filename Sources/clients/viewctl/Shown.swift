// Whatever came from elsewhere may hold what a terminal obeys: escapes, the C1 controls, and the
// marks that turn the direction of writing. It is shown, never passed through.

/// Text for a terminal: what it would obey is spelled out, `\u{1B}`.
func shown(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: \.isObeyed) else { return text }
    return text.unicodeScalars.map { scalar in
        scalar.isObeyed ? scalar.escaped(asASCII: true) : String(scalar)
    }.joined()
}

/// JSON for a terminal, which reads back as the same.
func shown(json: some Sequence<UInt8>) -> String {
    let text = String(decoding: Array(json), as: UTF8.self)
    guard text.unicodeScalars.contains(where: \.isObeyed) else { return text }
    return text.unicodeScalars.map { scalar in
        guard scalar.isObeyed else { return String(scalar) }
        let digits = String(scalar.value, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }.joined()
}

extension Unicode.Scalar {
    /// None of them is above U+FFFF.
    fileprivate var isObeyed: Bool {
        switch value {
        case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
