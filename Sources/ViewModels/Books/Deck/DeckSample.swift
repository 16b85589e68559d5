import BusdProtocol

/// The first records of a file, to find out what its columns are.
struct DeckSample {
    private var lines: DeckLines
    private let isHTML: Bool
    /// The fields as plain text.
    private(set) var rows: [[String]] = []
    private(set) var firstLine: Int?
    private(set) var columns = 0
    private(set) var hasOnlyClozes = true
    /// For each column, how many fields have words.
    private var words: [Int] = []

    static let mostRows = 1_000
    private static let mostColumns = 100

    init(_ lines: DeckLines, isHTML: Bool) { (self.lines, self.isHTML) = (lines, isHTML) }

    var header: DeckHeader { lines.header }
    var separator: UInt8 { lines.records.separator }

    mutating func read() {
        while rows.count < Self.mostRows, let number = lines.next() { add(number) }
        if rows.isEmpty { hasOnlyClozes = false }
    }

    private mutating func add(_ number: Int) {
        if firstLine == nil { firstLine = number }
        let isHTML = isHTML || lines.header.isHTML == true
        let sides = lines.records.fields.prefix(Self.mostColumns).map {
            DeckSide(lines.records.content(of: $0), isHTML: isHTML)
        }
        columns = max(columns, sides.count)
        words += Array(repeating: 0, count: columns - words.count)
        for (place, side) in sides.enumerated() where side.content == .words { words[place] += 1 }
        if !sides.contains(where: { Cloze($0.text) != nil }) { hasOnlyClozes = false }
        rows.append(sides.map(\.text))
    }

    /// The columns with words in more than a few fields, except those that Anki's headers name.
    ///
    /// - Parameter first: the first row that may be a card.
    func columns(named names: [String], from first: Int) -> [DeckLayout.Column] {
        (0..<columns).filter { words[$0] * 20 > rows.count && !header.isSpecial($0 + 1) }.map {
            place in
            let name = names.indices.contains(place) ? names[place] : ""
            let samples = rows.dropFirst(first).prefix(DeckLayout.mostSamples).map {
                $0.indices.contains(place) ? $0[place] : ""
            }
            return DeckLayout.Column(
                place: place, name: name, samples: samples,
                isOther: ColumnNames.meaning(of: name) == .other || isKey(place, from: first))
        }
    }

    /// Whether the column numbers the cards: 1, 2, 3 and so on.
    private func isKey(_ column: Int, from first: Int) -> Bool {
        let numbers = rows.dropFirst(first).map { row in
            row.indices.contains(column) ? Int(peer: row[column]) : nil
        }
        guard numbers.count >= Self.fewestKeys else { return false }
        return zip(numbers, numbers.dropFirst()).allSatisfy { number, next in
            number.map { $0 + 1 } == next && next != nil  // fits: an `Int` of a peer is 53 bits
        }
    }

    private static let fewestKeys = 3

    // MARK: Titles

    /// Whether the first record has names of columns: its words say so, or a column has another
    /// form in all other records.
    var hasTitles: Bool {
        guard let first = rows.first, first.count > 1 else { return false }
        return ColumnNames.areTitles(first) || differsInForm(first)
    }

    func hasNames(of request: ColumnRequest) -> Bool {
        guard let first = rows.first, request.hasNames else { return false }
        return (try? request.sides(names: first, count: first.count)) != nil
    }

    private static let fewestRows = 5

    private func differsInForm(_ first: [String]) -> Bool {
        let rest = rows.dropFirst()
        let names = first.filter { !$0.isEmpty }
        guard rest.count >= Self.fewestRows, names.count > 1, names.allSatisfy(Self.isLatinWord)
        else { return false }
        return first.indices.contains { column in
            let fields = rest.compactMap { $0.indices.contains(column) ? $0[column] : nil }
                .filter { !$0.isEmpty }
            return fields.count >= Self.fewestRows && !first[column].isEmpty
                && (fields.allSatisfy(Self.isNumber) || fields.allSatisfy(Self.hasNoLatin))
        }
    }

    private static func isLatinWord(_ text: String) -> Bool {
        text.utf8.count <= 30
            && text.utf8.allSatisfy { $0.isLetter || $0 == .space || $0 == UInt8(ascii: "_") }
    }

    private static func isNumber(_ text: String) -> Bool {
        text.utf8.contains { (0x30...0x39).contains($0) } && !text.utf8.contains(where: \.isLetter)
    }

    private static func hasNoLatin(_ text: String) -> Bool {
        !text.utf8.contains(where: \.isLetter)
    }
}
