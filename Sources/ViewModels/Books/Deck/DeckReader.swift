import BusdBooksEvents
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
    private(set) var lines: DeckLines

    let layout: DeckLayout
    private let readsHTML: Bool
    private let hasNoSeparator: LineProblem

    /// As in Anki.
    private static let mostClozes = 500
    private static let tooFewColumns = LineProblem("has too few columns", "have too few columns")
    private static let tooManyColumns = LineProblem("has too many columns", "have too many columns")
    private static let emptySide = LineProblem("has an empty side", "have an empty side")
    private static let imageOcclusion = LineProblem(
        "hides parts of an image, which cannot be shown",
        "hide parts of an image, which cannot be shown")
    private static let tooManyClozes = LineProblem(
        "has more than \(mostClozes) clozes", "have more than \(mostClozes) clozes")

    /// - Parameters:
    ///   - readsHTML: also without a header for HTML.
    ///   - columns: nil: the file decides.
    init(
        _ bytes: [UInt8], _ separator: Separator, isGiven: Bool, readsHTML: Bool,
        columns: ColumnRequest?
    ) throws(ColumnRequest.Problem) {
        lines = DeckLines(bytes, separator: isGiven ? separator : nil)
        self.readsHTML = readsHTML
        layout = try DeckLayout(lines, isHTML: readsHTML, columns)
        let name = separator.rawValue
        hasNoSeparator = LineProblem("has no \(name)", "have no \(name)")
    }

    mutating func read() {
        while let number = lines.next() { read(number) }
    }

    private mutating func read(_ number: Int) {
        guard !lines.header.isExact else { return readExactly(number) }
        guard number != layout.titleLine else { return }
        let sides = sides()
        guard !sides.contains(where: { $0.side.hasCommands }) else {
            return problems.add(.hasControlCharacters, at: number)
        }
        if let place = sides.prefix(2).firstIndex(where: { Cloze($0.side.text) != nil }),
            let cloze = Cloze(sides[place].side.text)
        {
            let extra = sides.prefix(2).dropFirst(place + 1).first?.side
            return add(cloze, extra?.content == .words ? extra?.text : nil, number)
        }
        guard sides.count > 1 else {
            let isUnsplit = lines.records.columns == 1
            let problem = hasSeveralFields ? Self.emptySide : Self.tooFewColumns
            return problems.add(isUnsplit ? hasNoSeparator : problem, at: number)
        }
        if sides[1].place > 1 { shifted += 1 }
        if sides.contains(where: { $0.side.content == .media }) { withoutWords += 1 }
        add(Card(front: sides[0].side.text, back: sides[1].side.text), number)
    }

    /// Whether there are two fields that may be sides.
    private var hasSeveralFields: Bool {
        lines.records.fields.indices.count { !lines.header.isSpecial($0 + 1) } > 1
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

    private typealias PlacedSide = (place: Int, side: DeckSide)

    private mutating func sides() -> [PlacedSide] {
        var looksLikeHTML = false
        defer { if looksLikeHTML { likeHTML += 1 } }
        switch layout.sides {
        case .first(let others): return firstSides(without: others, &looksLikeHTML)
        case .columns(let front, let back):
            let sides = [side(of: front, &looksLikeHTML), side(of: back, &looksLikeHTML)]
            return sides.enumerated().filter { $0.element.content != .nothing }
                .map { (place: 0, side: $0.element) }
        }
    }

    /// The first two fields with words. If there are fewer, images and sounds count too.
    private func firstSides(
        without others: Set<Int>, _ looksLikeHTML: inout Bool
    ) -> [PlacedSide] {
        let columns = lines.records.fields.indices.filter {
            !others.contains($0) && !lines.header.isSpecial($0 + 1)
        }
        var (words, all): ([PlacedSide], [PlacedSide]) = ([], [])
        for (place, column) in columns.enumerated() where words.count < 2 {
            let side = side(of: [column], &looksLikeHTML)
            if side.content == .words { words.append((place, side)) }
            if side.content != .nothing { all.append((place, side)) }
        }
        return words.count == 2 ? words : Array(all.prefix(2))
    }

    /// The fields of several columns are below each other.
    private func side(of columns: [Int], _ looksLikeHTML: inout Bool) -> DeckSide {
        let isHTML = readsHTML || lines.header.isHTML == true
        var sides: [DeckSide] = []
        for column in columns where lines.records.fields.indices.contains(column) {
            let raw = lines.records.content(of: lines.records.fields[column])
            if !isHTML, lines.header.isHTML == nil, DeckSide.looksLikeHTML(raw) {
                looksLikeHTML = true
            }
            sides.append(DeckSide(raw, isHTML: isHTML))
        }
        return DeckSide(sides)
    }

    /// - Parameter extra: a text below the back.
    private mutating func add(_ cloze: Cloze, _ extra: String?, _ number: Int) {
        guard !cloze.isOfImage else { return problems.add(Self.imageOcclusion, at: number) }
        guard cloze.numbers.count <= Self.mostClozes else {
            return problems.add(Self.tooManyClozes, at: number)
        }
        let back = extra.map { cloze.back + "\n" + $0 } ?? cloze.back
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
        if let problem = LineProblem(of: card) { return problems.add(problem, at: number) }
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
