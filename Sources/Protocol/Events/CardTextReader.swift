/// Reads the cards of a draft. A stored draft is read again at a start, so the rules are permanent.
struct CardTextReader {
    private(set) var cards: [Card] = []
    private(set) var lines: [Int] = []
    private(set) var problems = LineProblems()
    private(set) var header = AnkiHeader()
    private var records: CardRecords
    /// A text export of Anki may have further columns.
    private var hasHeader = false

    init(_ text: String) { records = CardRecords(Array(text.utf8), .draft) }

    mutating func read() {
        readHeader()
        guard header.isTabSeparated else { return }
        while !records.isAtEnd {
            if records.isAtLineEnd { records.passLineEnd() } else { readRecord() }
        }
    }

    /// Reads all lines that are headers of Anki.
    private mutating func readHeader() {
        while header.isTabSeparated {
            let line = records.peekLine()
            guard line.first == UInt8(ascii: "#"), header.read(line.dropFirst()) else { return }
            hasHeader = true
            if !header.isTabSeparated { problems.add(.namesOtherSeparator, at: records.line) }
            records.passLine()
        }
    }

    private mutating func readRecord() {
        let number = records.readRecord()
        guard hasHeader || records.columns <= 2 else {
            return problems.add(.hasSeveralTabs, at: number)
        }
        let columns = records.fields.indices.filter { !header.isSpecial($0 + 1) }
        let sides = columns.prefix(2).map { text(of: records.fields[$0]) }
        if sides.count == 2 {
            cards.append(Card(front: sides[0], back: sides[1]))
            lines.append(number)
        } else {
            problems.add(records.columns == 1 ? .hasNoTab : .hasTooFewColumns, at: number)
        }
    }

    private func text(of field: CardRecords.Field) -> String {
        let raw = records.content(of: field)
        guard header.isHTML else { return String(decoding: raw, as: UTF8.self) }
        return String(decoding: PlainText(html: raw, .draft).bytes, as: UTF8.self)
    }
}

extension LineProblem {
    fileprivate static let hasNoTab = Self("has no tab", "have no tab")
    fileprivate static let hasSeveralTabs = Self("has more than one tab", "have more than one tab")
    fileprivate static let hasTooFewColumns = Self("has too few columns", "have too few columns")
    fileprivate static let namesOtherSeparator = Self(
        "names a separator that is not a tab", "name a separator that is not a tab")
}
