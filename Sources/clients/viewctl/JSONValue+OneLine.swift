import BusdProtocol

extension JSONValue {
    /// The value in one line. A text has no quotes; its backslashes and control characters are
    /// escaped. `null` is empty. Any other value is JSON.
    var oneLine: String {
        guard let text else {
            return kind == .null ? "" : String(decoding: printable(json: json), as: UTF8.self)
        }
        if text.utf8.allSatisfy({ 0x20..<0x7F ~= $0 && $0 != UInt8(ascii: "\\") }) { return text }
        var line = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": line.append(contentsOf: #"\\"#.unicodeScalars)
            case "\n": line.append(contentsOf: #"\n"#.unicodeScalars)
            case "\t": line.append(contentsOf: #"\t"#.unicodeScalars)
            default: line.append(scalar)
            }
        }
        return String(line).printable
    }
}
