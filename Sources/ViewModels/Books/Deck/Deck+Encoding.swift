import BusdProtocol

extension Deck {
    /// What a file has in place of UTF-8.
    public enum Encoding: Error, Equatable {
        /// The name of the encoding for iconv(1).
        case other(String)
        /// An unknown encoding, seen in this line first.
        case unknown(line: Int)
        /// UTF-8 with U+0000, in this line first.
        case zero(line: Int)
        /// Such as `.apkg` and `.xlsx`.
        case archive
    }

    /// The bytes as UTF-8. UTF-16 is converted if it has its mark.
    public static func utf8(_ bytes: [UInt8]) throws(Encoding) -> [UInt8] {
        if bytes.starts(with: [0x50, 0x4B, 3, 4]) { throw .archive }
        if bytes.starts(with: [0xFF, 0xFE, 0, 0]) || bytes.starts(with: [0, 0, 0xFE, 0xFF]) {
            throw .other("UTF-32")
        }
        if bytes.starts(with: [0xFF, 0xFE]) { return try utf8(ofUTF16: bytes, low: 0) }
        if bytes.starts(with: [0xFE, 0xFF]) { return try utf8(ofUTF16: bytes, low: 1) }
        if DeckText.hasHead(bytes), isUTF8(bytes) { return bytes }
        if let zero = bytes.firstIndex(of: 0) {
            // Each other byte of Latin letters is 0.
            let start = bytes.prefix(1_000)
            guard start.count(where: { $0 == 0 }) * 5 > start.count else {
                let line = line(of: zero, in: bytes)
                throw isUTF8(bytes) ? .zero(line: line) : .unknown(line: line)
            }
            throw .other(zero % 2 == 0 ? "UTF-16BE" : "UTF-16LE")
        }
        guard isUTF8(bytes) else {
            throw .unknown(line: line(of: firstInvalid(in: bytes), in: bytes))
        }
        return bytes
    }

    /// - Parameter low: 0 if the low byte of a unit comes first, else 1.
    private static func utf8(ofUTF16 bytes: [UInt8], low: Int) throws(Encoding) -> [UInt8] {
        let units = stride(from: 2, to: bytes.count - 1, by: 2).map {
            UInt16(bytes[$0 + low]) | UInt16(bytes[$0 + 1 - low]) << 8  // fits: two bytes
        }
        guard bytes.count % 2 == 0, !units.contains(0),
            let text = String(validating: units, as: UTF16.self)
        else { throw .other(low == 0 ? "UTF-16LE" : "UTF-16BE") }
        return Array(text.utf8)
    }

    private static func isUTF8(_ bytes: [UInt8]) -> Bool {
        String(validating: bytes, as: UTF8.self) != nil
    }

    private static func firstInvalid(in bytes: [UInt8]) -> Int {
        var parser = Unicode.UTF8.ForwardParser()
        var rest = bytes.makeIterator()
        var place = 0
        while case .valid(let encoded) = parser.parseScalar(from: &rest) { place += encoded.count }
        return place
    }

    private static func line(of place: Int, in bytes: [UInt8]) -> Int {
        bytes[..<place].count { $0 == .lineFeed } + 1
    }
}
