import BusdBooksEvents
import BusdProtocol

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
        // Without an array, which each line would allocate.
        let header = header
        var columns = records.fields.indices.lazy.filter { !header.isSpecial($0 + 1) }
            .makeIterator()
        guard let first = columns.next(), let second = columns.next() else {
            return problems.add(records.columns == 1 ? .hasNoTab : .hasTooFewColumns, at: number)
        }
        let (front, back) = (side(of: records.fields[first]), side(of: records.fields[second]))
        let card = Card(front: front.text, back: back.text)
        let hasCommands = front.hasCommands || back.hasCommands
        if let problem = hasCommands ? .hasControlCharacters : LineProblem(of: card) {
            return problems.add(problem, at: number)
        }
        cards.append(card)
        lines.append(number)
    }

    private func side(of field: CardRecords.Field) -> (text: String, hasCommands: Bool) {
        let raw = records.content(of: field)
        guard header.isHTML else { return (String(decoding: raw, as: UTF8.self), false) }
        let plain = PlainText(html: raw, .draft)
        return (String(decoding: plain.bytes, as: UTF8.self), plain.hasCommands)
    }
}

extension LineProblem {
    fileprivate static let hasNoTab = Self("has no tab", "have no tab")
    fileprivate static let hasSeveralTabs = Self("has more than one tab", "have more than one tab")
    fileprivate static let hasTooFewColumns = Self("has too few columns", "have too few columns")
    fileprivate static let namesOtherSeparator = Self(
        "names a separator that is not a tab", "name a separator that is not a tab")
}

// A text that was changed, such as by decoding entities, may break rules that the wire has checked
// before.
extension LineProblem {
    /// Why a request could not name the card, to change or to remove it; nil if one can.
    init?(of card: Card) {
        if !card.front.isStreamSafe || !card.back.isStreamSafe {
            self = .hasTooManyMarks
        } else if card.isTooLongToName {
            self = .isTooLong
        } else {
            return nil
        }
    }

    static let hasControlCharacters = Self(
        "has an entity for a control character", "have an entity for a control character")
    private static let hasTooManyMarks = Self(
        "has more than 30 marks on one letter", "have more than 30 marks on one letter")
    private static let isTooLong = Self(
        "has a card that is too long", "have a card that is too long")
}

extension Card {
    /// Whether a request that has the card would be longer than a line (docs/protocol.md, "Lines").
    fileprivate var isTooLongToName: Bool {
        let most = Limits().line - Self.otherBytesOfRequest
        // A byte takes at most six in JSON.
        guard 6 * (front.utf8.count + back.utf8.count) > most else { return false }
        var json = JSONWriter()
        write(to: &json)
        return json.bytes.count > most
    }

    /// `op`, `to`, the event and its name, `key`, `id`.
    private static let otherBytesOfRequest = 1_024
}
