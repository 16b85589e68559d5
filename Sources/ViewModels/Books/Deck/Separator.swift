import BusdProtocol

/// The separators of fields that Anki knows.
public enum Separator: String, CaseIterable, Sendable {
    case tab, comma, semicolon, pipe, colon, space

    var byte: UInt8 {
        switch self {
        case .tab: .tab
        case .comma: UInt8(ascii: ",")
        case .semicolon: UInt8(ascii: ";")
        case .pipe: UInt8(ascii: "|")
        case .colon: UInt8(ascii: ":")
        case .space: .space
        }
    }

    /// - Parameter text: a name in either case, the character itself, or `\t`.
    public init?(_ text: ArraySlice<UInt8>) {
        let name = text.trimmed
        let found = Self.allCases.first {
            text.elementsEqual([$0.byte]) || name.equalsIgnoringCase($0.rawValue.utf8)
        }
        guard let found = found ?? (name.elementsEqual(#"\t"#.utf8) ? .tab : nil) else {
            return nil
        }
        self = found
    }

    /// `tab, comma, semicolon, pipe, colon or space`
    public static let names: String = {
        let names = allCases.map(\.rawValue)
        return names.dropLast().joined(separator: ", ") + " or " + names[names.count - 1]
    }()

    static func isSeparator(_ byte: UInt8) -> Bool { allCases.contains { $0.byte == byte } }
}

extension Separator {
    enum Choice: Equatable {
        case known(Separator)
        case guessed(Separator)
        /// Several separators split every line alike.
        case several([Separator])
        case none
    }

    /// The separator of a file that is not given on the command line: from its header, else a tab
    /// if a line has one, else the one that splits every line alike. A colon and a space are too
    /// common in texts to be guessed.
    static func choice(for bytes: [UInt8]) -> Choice {
        var lines = DeckLines(bytes, separator: nil)
        var (hasLines, hasTab) = (false, false)
        while lines.isInHead, lines.next() != nil {
            hasLines = true
            hasTab = hasTab || lines.records.columns > 1
        }
        if let separator = lines.header.separator { return .known(separator) }
        if hasTab || hasLines && hasOnlyClozes(bytes) { return .known(.tab) }
        guard hasLines || lines.hasNotes else { return .known(.tab) }
        let alike = [Separator.comma, .semicolon, .pipe].filter { $0.splitsAlike(bytes) }
        guard let first = alike.first else { return hasLines ? .none : .known(.tab) }
        return alike.count == 1 ? .guessed(first) : .several(alike)
    }

    /// Whether every line has a cloze, and none begins with a quote. A cloze needs no second field,
    /// and its sentence may have commas.
    private static func hasOnlyClozes(_ bytes: [UInt8]) -> Bool {
        var lines = DeckLines(bytes, separator: .tab)
        while lines.next() != nil {
            let field = lines.records.fields[0]
            let text = lines.records.content(of: field)
            guard !field.isQuoted, text.first != .quote,
                Cloze(String(decoding: text, as: UTF8.self)) != nil
            else { return false }
        }
        return true
    }

    /// Whether every line has the same number of fields, two or more, and no quotes are misplaced.
    private func splitsAlike(_ bytes: [UInt8]) -> Bool {
        var lines = DeckLines(bytes, separator: self)
        var columns: Int?
        while lines.next() != nil {
            let records = lines.records
            guard records.columns > 1, columns ?? records.columns == records.columns,
                records.fields.allSatisfy({ $0.isQuoted || !records.beginsWithQuote($0) })
            else { return false }
            columns = records.columns
        }
        return columns != nil
    }
}

extension CardRecords {
    fileprivate func beginsWithQuote(_ field: Field) -> Bool {
        bytes[field.bytes].first { $0 != .space } == .quote
    }
}
