/// Reads cards from a text, byte by byte: all bytes with a meaning are ASCII.
///
/// A field that begins with a quote is searched for its closing quote. If there is none, the field
/// is read again as plain text. This stays linear: a search goes beyond the quotes at the start
/// only if their number is odd, and ends at the next odd run of quotes. So no byte is searched
/// twice.
struct CardTextReader {
    private(set) var cards: [Card] = []
    private(set) var lines: [Int] = []
    private(set) var problems = CardTextProblems()

    private let bytes: [UInt8]
    private var position = 0
    /// The number of the line in which `position` is.
    private var line = 1
    private(set) var header = AnkiHeader()

    init(_ text: String) {
        bytes = Array(text.utf8)
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    }

    mutating func read() {
        readHeader()
        guard header.isTabSeparated else { return }
        while position < bytes.count { readRecord() }
    }

    /// Reads all lines that are headers of Anki.
    private mutating func readHeader() {
        while header.isTabSeparated, byte(position) == UInt8(ascii: "#") {
            let end = lineEnd(from: position)
            guard header.read(bytes[(position + 1)..<end]) else { return }
            if !header.isTabSeparated {
                problems.add(line, "names a separator that is not a tab")
            }
            position = end
            passLineEnd()
        }
    }

    private mutating func readRecord() {
        let number = line
        guard !isLineEnd(position) else { return passLineEnd() }
        var (front, back): (String?, String?)
        var column = 0
        repeat {
            column += 1
            let field = nextField()
            guard back == nil, !header.isSpecial(column) else { continue }
            if front == nil { front = text(of: field) } else { back = text(of: field) }
        } while passTab()
        passLineEnd()
        if let front, let back {
            cards.append(Card(front: front, back: back))
            lines.append(number)
        } else {
            problems.add(number, column == 1 ? "has no tab" : "has too few columns")
        }
    }

    // MARK: Fields

    private struct Field {
        var bytes: Range<Int>
        var isQuoted: Bool
    }

    private mutating func nextField() -> Field {
        if let end = endOfQuoted() {
            let field = Field(bytes: (position + 1)..<end, isQuoted: true)
            line += bytes[field.bytes].count { $0 == .lineFeed }
            position = end + 1
            return field
        }
        let start = position
        while position < bytes.count, isInside(position), bytes[position] != .tab { position += 1 }
        return Field(bytes: start..<position, isQuoted: false)
    }

    /// The index of the closing quote; `nil` if the field does not begin with a quote, or has no
    /// closing one.
    private func endOfQuoted() -> Int? {
        guard byte(position) == .quote else { return nil }
        var at = position + 1
        while at < bytes.count {
            if bytes[at] != .quote {
                at += 1
            } else if byte(at + 1) == .quote {
                at += 2
            } else {
                return isLineEnd(at + 1) || byte(at + 1) == .tab ? at : nil
            }
        }
        return nil
    }

    private func text(of field: Field) -> String {
        let raw = field.isQuoted ? unquoted(field.bytes) : bytes[field.bytes]
        return String(decoding: header.isHTML ? plainText(ofHTML: raw)[...] : raw, as: UTF8.self)
    }

    /// Doubled quotes become one, and CR LF becomes LF.
    private func unquoted(_ range: Range<Int>) -> ArraySlice<UInt8> {
        var plain: [UInt8] = []
        var at = range.lowerBound
        while at < range.upperBound {
            if bytes[at] != .carriageReturn || byte(at + 1) != .lineFeed { plain.append(bytes[at]) }
            at += bytes[at] == .quote ? 2 : 1
        }
        return plain[...]
    }

    // MARK: Bytes

    private func byte(_ at: Int) -> UInt8? { at < bytes.count ? bytes[at] : nil }

    private func isLineEnd(_ at: Int) -> Bool {
        switch byte(at) {
        case nil, .lineFeed: true
        case .carriageReturn: at + 1 == bytes.count || bytes[at + 1] == .lineFeed
        default: false
        }
    }

    /// Whether no line ends at this place of the text. Fast for all bytes but control characters.
    private func isInside(_ at: Int) -> Bool { bytes[at] > .carriageReturn || !isLineEnd(at) }

    private func lineEnd(from start: Int) -> Int {
        var at = start
        while at < bytes.count, isInside(at) { at += 1 }
        return at
    }

    private mutating func passLineEnd() {
        if byte(position) == .carriageReturn { position += 1 }
        if byte(position) == .lineFeed { position += 1 }
        line += 1
    }

    private mutating func passTab() -> Bool {
        guard byte(position) == .tab else { return false }
        position += 1
        return true
    }
}

extension UInt8 {
    fileprivate static let tab = UInt8(ascii: "\t")
    fileprivate static let lineFeed = UInt8(ascii: "\n")
    fileprivate static let carriageReturn = UInt8(ascii: "\r")
    fileprivate static let quote = UInt8(ascii: "\"")
}
