import BusdProtocol

/// The lines of a file that may be cards. Empty lines, headers and comments are left out.
///
/// The headers are at the beginning. There a line with `#` is a comment unless its key is known, or
/// unless it has a second field; `# ` begins a comment in any case. The first line with a second
/// field ends the headers; a line that is no card does not.
///
/// Later, a comment is `# …`, `## …` or `#key: …` without a second field, or `# key: …` with one.
/// So `#000000⇥black` and `# heading⇥<h1>` are cards. An exact file has no comments.
struct DeckLines {
    private(set) var header = DeckHeader()
    /// Has the fields of the line that `next` has returned.
    private(set) var records: CardRecords
    private(set) var isInHead = true
    /// Whether there are comments.
    private(set) var hasNotes = false
    /// Comments that are between cards, or that have a second field.
    private(set) var comments = LineProblems()
    private static let isComment = LineProblem("is a comment", "are comments")
    private let isFixed: Bool

    /// - Parameter separator: overrides the header's; nil: the header's, or a tab before it.
    init(_ bytes: [UInt8], separator: Separator?) {
        records = CardRecords(bytes, separator: (separator ?? .tab).byte, .file)
        isFixed = separator != nil
    }

    /// Reads the next line with fields. Returns its number.
    mutating func next() -> Int? {
        while !records.isAtEnd {
            if records.isAtLineEnd {
                records.passLineEnd()
                continue
            }
            if isInHead ? readHeader() : passComment() { continue }
            let number = records.readRecord()
            if !header.isExact, isBlank(records.fields[...]) { continue }
            if hasSecondField(records) { isInHead = false }
            return number
        }
        return nil
    }

    private func hasSecondField(_ records: CardRecords) -> Bool {
        !isBlank(records.fields.dropFirst())
    }

    private func isBlank(_ fields: ArraySlice<CardRecords.Field>) -> Bool {
        fields.allSatisfy { records.bytes[$0.bytes].isBlank }
    }

    /// Passes the next line if it is a header or a comment.
    private mutating func readHeader() -> Bool {
        let line = records.peekLine()
        if records.line == 1, header.readHint(ofSpreadsheet: line) {
            records.passLine()
            useSeparator()
            return true
        }
        guard let text = DeckHeader.Line(line) else { return false }
        var after = records
        _ = after.readRecord()
        switch header.read(text, at: records.line) {
        case .header:
            records.passLine()
            if header.isExact { isInHead = false }
        case .unknown:
            if hasSecondField(after) {
                guard text.isSpaced else { return false }
                comments.add(Self.isComment, at: records.line)
            }
            hasNotes = true
            records = after
        case .card: return false
        }
        useSeparator()
        return true
    }

    private mutating func passComment() -> Bool {
        guard !header.isExact, let text = DeckHeader.Line(records.peekLine()) else { return false }
        var after = records
        _ = after.readRecord()
        guard text.isComment(hasSecondField: hasSecondField(after)) else { return false }
        comments.add(Self.isComment, at: records.line)
        records = after
        return true
    }

    private mutating func useSeparator() {
        if !isFixed, let separator = header.separator { records.separator = separator.byte }
    }
}
