import BusdProtocol

/// Headers of a file that Anki has exported, one `#key:value` per line (Anki's manual, "File
/// Headers"). A spreadsheet may have added separators behind a header, and quotes around it.
public struct DeckHeader {
    private enum Key: String, CaseIterable {
        case separator, html, deck, columns, notetype, tags
        case guidColumn = "guid column"
        case notetypeColumn = "notetype column"
        case deckColumn = "deck column"
        case tagsColumn = "tags column"
        case ifMatches = "if matches"
        case matchScope = "match scope"
        /// Anki takes it as a comment.
        case busd
    }

    enum Meaning {
        case header
        /// A comment, or a card.
        case unknown
        case card
    }

    /// A known header with a value that is not understood.
    public struct Fault: Error, Equatable {
        public let line: Int
        public let text: String
        /// Continues "use", such as `true or false`.
        public let expected: String
    }

    private(set) var separator: Separator?
    private(set) var isHTML: Bool?
    private(set) var deck: String?
    /// Each line is a card: its two fields, as they are. `books export` writes such files.
    private(set) var isExact = false
    private(set) var faults: [Fault] = []
    /// The value of `#columns`; nil without this header.
    private var columns: ArraySlice<UInt8>?
    /// Numbers, from 1, of the columns that are neither front nor back.
    private var special: [Key: Int] = [:]

    /// Anki writes their numbers only, and no line of titles.
    var hasSpecialColumns: Bool { !special.isEmpty }

    func isSpecial(_ column: Int) -> Bool { !special.isEmpty && special.values.contains(column) }

    /// The names of the columns, as far as `#columns` has them.
    func columnNames(separator: UInt8) -> [String]? {
        columns.map { columns in
            var records = CardRecords(Array(columns), separator: separator, .file)
            _ = records.readRecord()
            return records.texts
        }
    }

    /// Reads a line such as `sep=;`, which tells a spreadsheet the separator.
    mutating func readHint(ofSpreadsheet line: ArraySlice<UInt8>) -> Bool {
        let text = line.first == .quote ? line.trimmed { $0 == .quote } : line
        guard text.prefix(4).equalsIgnoringCase("sep=".utf8), text.count == 5,
            let known = Separator(text.dropFirst(4))
        else { return false }
        separator = known
        return true
    }

    mutating func read(_ line: Line, at number: Int) -> Meaning {
        guard let colon = line.text.firstIndex(of: UInt8(ascii: ":")),
            let key = Key.allCases.first(where: {
                line.text[..<colon].trimmed.equalsIgnoringCase($0.rawValue.utf8)
            })
        else { return .unknown }
        if line.hasMore, key != .columns { return .card }
        if let expected = read(key, line.text[(colon + 1)...]) {
            let text = String(decoding: line.text.prefix(60), as: UTF8.self)
            faults.append(Fault(line: number, text: "#" + text, expected: expected))
        }
        return .header
    }

    /// Returns nil, or which value is expected.
    private mutating func read(_ key: Key, _ raw: ArraySlice<UInt8>) -> String? {
        let value = Line.value(raw)
        switch key {
        case .separator:
            guard let known = Separator(raw) ?? Separator(value) ?? Line.character(raw) else {
                return Separator.names
            }
            separator = known
        case .html:
            isHTML = value.equalsIgnoringCase("true".utf8)
            guard isHTML == true || value.equalsIgnoringCase("false".utf8) else {
                return "true or false"
            }
        case .guidColumn, .notetypeColumn, .deckColumn, .tagsColumn:
            guard let column = Int(peer: String(decoding: value, as: UTF8.self)), column > 0 else {
                return "the number of a column, from 1"
            }
            special[key] = column
        case .deck:
            guard !value.contains(.tab) else { return "one name" }
            deck = String(decoding: value, as: UTF8.self)
        case .busd:
            isExact = value.equalsIgnoringCase("exact".utf8)
            guard isExact else { return "exact" }
        case .columns: columns = raw
        case .notetype, .tags, .ifMatches, .matchScope: break
        }
        return nil
    }
}

extension CardRecords {
    /// The fields of the last record as texts, without spaces at their ends.
    var texts: [String] {
        fields.map { String(decoding: content(of: $0).trimmed { $0 <= .space }, as: UTF8.self) }
    }
}

extension DeckHeader {
    /// A line that begins with `#`, maybe in quotes.
    struct Line {
        /// Without the `#`, the quotes, and what follows them.
        let text: ArraySlice<UInt8>
        /// Whether the quotes are followed by another field.
        let hasMore: Bool

        init?(_ line: ArraySlice<UInt8>) {
            if line.first == UInt8(ascii: "#") {
                (text, hasMore) = (line.dropFirst(), false)
                return
            }
            guard line.starts(with: [.quote, UInt8(ascii: "#")]) else { return nil }
            var (plain, rest) = ([UInt8](), line.dropFirst(2))
            while let byte = rest.popFirst() {
                if byte == .quote, rest.first != .quote { break }
                if byte == .quote { rest = rest.dropFirst() }
                plain.append(byte)
            }
            (text, hasMore) = (plain[...], !rest.allSatisfy(Self.isAdded))
        }

        /// Whether the line begins with `# `.
        var isSpaced: Bool { text.first == .space }

        /// Whether the line is a comment behind the first card.
        func isComment(hasSecondField: Bool) -> Bool {
            let key = text.firstIndex(of: UInt8(ascii: ":")).map { text[..<$0].trimmed }
            let hasKey = key.map { !$0.isEmpty && $0.allSatisfy(Self.isInKey) } ?? false
            if hasSecondField { return isSpaced && hasKey || isColumns }
            if Cloze(String(decoding: text, as: UTF8.self)) != nil { return false }
            return isSpaced || hasKey || text.isBlank || text.first == UInt8(ascii: "#")
        }

        private var isColumns: Bool { text.starts(with: "columns:".utf8) }

        private static func isInKey(_ byte: UInt8) -> Bool {
            byte.isLetter || byte == .space || byte >= 0x80
        }

        private static func isAdded(_ byte: UInt8) -> Bool {
            Separator.isSeparator(byte) || byte == .quote
        }

        /// A value without spaces, its quotes, and separators that were added behind it.
        static func value(_ raw: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
            var value = raw.trimmed
            while let last = value.last {
                if Separator.isSeparator(last) {
                    value.removeLast()
                } else if value.hasEmptyFieldAtEnd {
                    value.removeLast(2)
                } else {
                    break
                }
            }
            let isQuoted = value.count > 1 && value.first == .quote && value.last == .quote
            return isQuoted ? value.dropFirst().dropLast() : value
        }

        /// A separator, with others that were added behind it.
        static func character(_ raw: ArraySlice<UInt8>) -> Separator? {
            let text = raw.first == .quote || raw.count > 1 ? raw.trimmed : raw
            let first = text.first == .quote ? text.dropFirst() : text
            return first.dropFirst().allSatisfy(isAdded) ? Separator(first.prefix(1)) : nil
        }
    }
}

extension ArraySlice<UInt8> {
    /// Whether the text ends with a separator and two quotes.
    fileprivate var hasEmptyFieldAtEnd: Bool {
        suffix(2).elementsEqual([.quote, .quote])
            && dropLast(2).last.map(Separator.isSeparator) == true
    }
}
