import BusdProtocol

/// Reads the cards of a file.
struct DeckReader {
    /// The cards, as long as a book has room for them.
    private(set) var cards: [Card] = []
    /// For each card, the number of the line in which it begins.
    private(set) var cardLines: [Int] = []
    /// Of all cards. `bytes` is what a book counts.
    private(set) var (count, bytes) = (0, 0)
    private(set) var problems = LineProblems()
    /// Lines in which a field behind an empty one became a side.
    private(set) var shifted = 0
    /// Cards with a side that is only an image or a sound.
    private(set) var withoutWords = 0
    /// Lines that seem to be in HTML, but are taken as they are.
    private(set) var likeHTML = 0
    /// The line of the first card, if its sides are words for the sides of a card.
    private(set) var title: Int?
    private(set) var lines: DeckLines

    private let readsHTML: Bool
    private let hasNoSeparator: LineProblem

    /// As in Anki.
    private static let mostClozes = 500
    private static let tooFewColumns = LineProblem("has too few columns", "have too few columns")
    private static let tooManyColumns = LineProblem("has too many columns", "have too many columns")
    private static let tooManyMarks = LineProblem(
        "has more than 30 marks on one letter", "have more than 30 marks on one letter")
    private static let emptySide = LineProblem("has an empty side", "have an empty side")
    private static let imageOcclusion = LineProblem(
        "hides parts of an image, which cannot be shown",
        "hide parts of an image, which cannot be shown")
    private static let tooManyClozes = LineProblem(
        "has more than \(mostClozes) clozes", "have more than \(mostClozes) clozes")

    /// - Parameter readsHTML: also without a header for HTML.
    init(_ bytes: [UInt8], _ separator: Separator, isGiven: Bool, readsHTML: Bool) {
        lines = DeckLines(bytes, separator: isGiven ? separator : nil)
        self.readsHTML = readsHTML
        let name = separator.rawValue
        hasNoSeparator = LineProblem("has no \(name)", "have no \(name)")
    }

    mutating func read() {
        while let number = lines.next() { read(number) }
    }

    private mutating func read(_ number: Int) {
        guard !lines.header.isExact else { return readExactly(number) }
        let fields = lines.records.fields.indices
            .filter { !lines.header.isSpecial($0 + 1) }.map { lines.records.fields[$0] }
        let sides = sides(of: fields)
        if let cloze = sides.prefix(2).lazy.compactMap({ Cloze($0.side.text) }).first {
            return add(cloze, number)
        }
        guard sides.count > 1 else {
            let isUnsplit = lines.records.columns == 1
            let problem = fields.count > 1 ? Self.emptySide : Self.tooFewColumns
            return problems.add(isUnsplit ? hasNoSeparator : problem, at: number)
        }
        if sides[1].place > 1 { shifted += 1 }
        if sides.contains(where: { $0.side.content == .media }) { withoutWords += 1 }
        let card = Card(front: sides[0].side.text, back: sides[1].side.text)
        if count == 0, Self.isTitle(card) { title = number }
        add(card, number)
    }

    private mutating func readExactly(_ number: Int) {
        let records = lines.records
        guard records.columns == 2 else {
            return problems.add(
                records.columns == 1 ? hasNoSeparator : Self.tooManyColumns, at: number)
        }
        let sides = records.fields.map {
            String(decoding: records.exactContent(of: $0), as: UTF8.self)
        }
        add(Card(front: sides[0], back: sides[1]), number)
    }

    private static func isTitle(_ card: Card) -> Bool {
        let words: Set = [
            "front", "back", "question", "answer", "term", "definition", "word", "meaning",
            "translation",
        ]
        return words.contains(card.front.lowercased()) && words.contains(card.back.lowercased())
    }

    private typealias PlacedSide = (place: Int, side: DeckSide)

    /// The first two fields with words. If there are fewer, images and sounds count too.
    private mutating func sides(of fields: [CardRecords.Field]) -> [PlacedSide] {
        let isHTML = readsHTML || lines.header.isHTML == true
        var (words, all): ([PlacedSide], [PlacedSide]) = ([], [])
        var looksLikeHTML = false
        for (place, field) in fields.enumerated() where words.count < 2 {
            let raw = lines.records.content(of: field)
            if !isHTML, lines.header.isHTML == nil, DeckSide.looksLikeHTML(raw) {
                looksLikeHTML = true
            }
            let side = DeckSide(raw, isHTML: isHTML)
            if side.content == .words { words.append((place, side)) }
            if side.content != .nothing { all.append((place, side)) }
        }
        if looksLikeHTML { likeHTML += 1 }
        return words.count == 2 ? words : Array(all.prefix(2))
    }

    private mutating func add(_ cloze: Cloze, _ number: Int) {
        guard !cloze.isOfImage else { return problems.add(Self.imageOcclusion, at: number) }
        guard cloze.numbers.count <= Self.mostClozes else {
            return problems.add(Self.tooManyClozes, at: number)
        }
        let back = cloze.back
        for card in cloze.numbers {
            if isFull {
                count += 1
            } else {
                add(Card(front: cloze.front(card), back: back), number)
            }
        }
    }

    private var isFull: Bool { count > Books.mostCards || bytes > Books.mostBytesOfBook }

    private mutating func add(_ card: Card, _ number: Int) {
        guard card.front.isStreamSafe, card.back.isStreamSafe else {
            return problems.add(Self.tooManyMarks, at: number)
        }
        count += 1
        bytes += card.front.utf8.count + card.back.utf8.count + Books.bytesBesidesTexts
        guard !isFull else { return }
        cards.append(card)
        cardLines.append(number)
    }
}

extension CardRecords {
    /// The text of a field, also with its carriage returns.
    fileprivate func exactContent(of field: Field) -> ArraySlice<UInt8> {
        guard field.isQuoted else { return bytes[field.bytes] }
        var plain: [UInt8] = []
        var rest = bytes[field.bytes]
        while let byte = rest.popFirst() {
            if byte == .quote { rest = rest.dropFirst() }
            plain.append(byte)
        }
        return plain[...]
    }
}
