import BusdProtocol

/// Splits a text into records, one per line, and each record into fields, byte by byte: all bytes
/// with a meaning are ASCII.
///
/// A field in double quotes may contain separators, line ends, and quotes, each doubled. If the
/// closing quote is missing, or no separator or line end follows it, the field is taken as it is.
///
/// A field that begins with a quote is searched for its closing quote. If there is none, the field
/// is read again as plain text. This stays linear: a search goes beyond the quotes at the start
/// only if their number is odd, and ends at the next odd run of quotes. So no byte is searched
/// twice.
struct CardRecords {
    /// The rules of a text that is typed are permanent: a draft means the same in each version.
    enum Rules {
        /// A line ends with LF, or with CR and LF.
        case draft
        /// CR ends a line too. Spaces around a field in quotes are left out, unless fields are
        /// separated by tabs or spaces.
        case file
    }

    struct Field {
        /// Without the quotes.
        var bytes: Range<Int>
        var isQuoted: Bool
    }

    let bytes: [UInt8]
    var separator: UInt8
    private let rules: Rules

    private(set) var position: Int
    /// The number of the line in which `position` is.
    private(set) var line = 1
    /// The fields of the last record, at most `mostFields`.
    private(set) var fields: [Field] = []
    /// The number of all fields of the last record.
    private(set) var columns = 0

    static let mostFields = 1_000

    /// A byte-order mark at the beginning is left out.
    ///
    /// - Parameter bytes: UTF-8.
    init(_ bytes: [UInt8], separator: UInt8 = .tab, _ rules: Rules) {
        self.bytes = bytes
        self.separator = separator
        self.rules = rules
        position = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    }

    var isAtEnd: Bool { position >= bytes.count }

    /// Whether the next line is empty.
    var isAtLineEnd: Bool { isLineEnd(position) }

    /// Reads the next record. Returns the number of its first line.
    mutating func readRecord() -> Int {
        let number = line
        fields.removeAll(keepingCapacity: true)
        columns = 0
        repeat {
            let field = nextField()
            if columns < Self.mostFields { fields.append(field) }
            columns += 1
        } while passSeparator()
        passLineEnd()
        return number
    }

    /// The bytes of the next line, without its end. Quotes have no meaning.
    func peekLine() -> ArraySlice<UInt8> {
        var at = position
        while at < bytes.count, isInside(at) { at += 1 }
        return bytes[min(position, at)..<at]
    }

    mutating func passLine() {
        position = peekLine().endIndex
        passLineEnd()
    }

    // MARK: Fields

    private mutating func nextField() -> Field {
        if let field = quotedField() { return field }
        let start = position
        while position < bytes.count, isInside(position), bytes[position] != separator {
            position += 1
        }
        return Field(bytes: start..<position, isQuoted: false)
    }

    private mutating func quotedField() -> Field? {
        let start = afterSpaces(position)
        guard byte(start) == .quote, let close = endOfQuoted(start) else { return nil }
        let end = afterSpaces(close + 1)
        guard isLineEnd(end) || byte(end) == separator else { return nil }
        line += lineEnds(in: (start + 1)..<close)
        position = end
        return Field(bytes: (start + 1)..<close, isQuoted: true)
    }

    private func afterSpaces(_ start: Int) -> Int {
        guard rules == .file, separator != .tab, separator != .space else { return start }
        var at = start
        while byte(at) == .space { at += 1 }
        return at
    }

    /// The index of the closing quote.
    private func endOfQuoted(_ start: Int) -> Int? {
        var at = start + 1
        while at < bytes.count {
            if bytes[at] != .quote {
                at += 1
            } else if byte(at + 1) == .quote {
                at += 2
            } else {
                return at
            }
        }
        return nil
    }

    private func lineEnds(in range: Range<Int>) -> Int {
        range.count { at in
            switch bytes[at] {
            case .lineFeed: true
            case .carriageReturn: rules == .file && byte(at + 1) != .lineFeed
            default: false
            }
        }
    }

    /// The text of a field. In quotes, doubled quotes become one, and a line end becomes LF.
    func content(of field: Field) -> ArraySlice<UInt8> {
        guard field.isQuoted else { return bytes[field.bytes] }
        var plain: [UInt8] = []
        var at = field.bytes.lowerBound
        while at < field.bytes.upperBound {
            if bytes[at] != .carriageReturn {
                plain.append(bytes[at])
            } else if byte(at + 1) != .lineFeed {
                plain.append(rules == .file ? .lineFeed : .carriageReturn)
            }
            at += bytes[at] == .quote ? 2 : 1
        }
        return plain[...]
    }

    // MARK: Bytes

    private func byte(_ at: Int) -> UInt8? { at < bytes.count ? bytes[at] : nil }

    private func isLineEnd(_ at: Int) -> Bool {
        switch byte(at) {
        case nil, .lineFeed: true
        case .carriageReturn:
            rules == .file || at + 1 == bytes.count || bytes[at + 1] == .lineFeed
        default: false
        }
    }

    /// Whether no line ends at this place of the text. Fast for all bytes but control characters.
    private func isInside(_ at: Int) -> Bool { bytes[at] > .carriageReturn || !isLineEnd(at) }

    mutating func passLineEnd() {
        if byte(position) == .carriageReturn { position += 1 }
        if byte(position) == .lineFeed { position += 1 }
        line += 1
    }

    private mutating func passSeparator() -> Bool {
        guard byte(position) == separator else { return false }
        position += 1
        return true
    }
}
