import BusdProtocol

/// Which columns of a file are the sides of its cards.
///
/// The command line decides, else the names of the columns, from `#columns` or from a first line
/// that names them, else the order. Then the first two fields with words are the sides; that is not
/// clear if more columns have words.
public struct DeckLayout {
    enum Sides: Equatable {
        /// The first two fields with words, except those of some columns.
        case first(without: Set<Int>)
        case columns(front: [Int], back: [Int])
    }

    /// A column that may be a side.
    public struct Column: Equatable {
        /// From 0.
        public let place: Int
        /// Empty if the file has none.
        public let name: String
        /// Its fields in the first cards.
        public let samples: [String]
        /// Whether its name says that it is no side.
        let isOther: Bool

        /// Such as `2 (Reading)`.
        var title: String { name.isEmpty ? "\(place + 1)" : "\(place + 1) (\(name.shortened))" }
    }

    let sides: Sides
    /// The line that names the columns, and is no card.
    let titleLine: Int?
    /// The columns with words, except those that Anki's headers name.
    public let columns: [Column]
    /// False if the order has decided between more than two columns.
    public let isClear: Bool
    private let isRequested: Bool

    static let mostSamples = 5

    /// - Parameter lines: before its first line.
    init(
        _ lines: DeckLines, isHTML: Bool, _ request: ColumnRequest?
    ) throws(ColumnRequest.Problem) {
        var sample = DeckSample(lines, isHTML: isHTML)
        sample.read()
        let header = sample.header
        isRequested = request != nil
        guard !header.isExact else {
            (sides, titleLine, columns, isClear) = (.first(without: []), nil, [], true)
            return
        }
        let hasTitles =
            header.columnNames(separator: sample.separator) == nil && !header.hasSpecialColumns
            && (sample.hasTitles || request.map { sample.hasNames(of: $0) } ?? false)
        titleLine = hasTitles ? sample.firstLine : nil
        let names =
            header.columnNames(separator: sample.separator)
            ?? (hasTitles ? sample.rows.first ?? [] : [])
        let found = sample.columns(named: names, from: hasTitles ? 1 : 0)
        // If all are others, the names say nothing.
        let others = found.count { !$0.isOther } < 2 ? [] : found.filter(\.isOther)
        columns = found
        if let request {
            let count = max(sample.columns, names.count)
            let known = names.isEmpty ? sample.rows.first ?? [] : names
            let found = try request.sides(names: request.hasNames ? known : names, count: count)
            (sides, isClear) = (.columns(front: found.front, back: found.back), true)
        } else if let found = ColumnNames.sides(
            of: names.enumerated().map { place, name in
                header.isSpecial(place + 1) ? "" : name
            })
        {
            (sides, isClear) = (.columns(front: [found.front], back: [found.back]), true)
        } else {
            sides = .first(without: Set(others.map(\.place)))
            isClear = found.count - others.count <= 2 || sample.hasOnlyClozes
        }
    }

    // MARK: What is said

    /// What was taken and what was left out; nil if there was no choice.
    var note: String? {
        switch sides {
        case .columns(let front, let back):
            let isUsual = front == [0] && back == [1]
            let rest = columns.filter { !(front + back).contains($0.place) }
            guard !isRequested, !rest.isEmpty || !isUsual else { return nil }
            return "the front is column \(list(front)), the back is column \(list(back))"
                + leftOut(rest)
        case .first:
            let usual = usual
            let rest = columns.filter { !usual.contains($0) }
            guard let other = rest.first, usual.count == 2 else { return nil }
            let text = "the front is column \(usual[0].title), the back is column "
            let remedy =
                "; --columns front=\(usual[0].place + 1),back=\(other.place + 1) takes others"
            return text + usual[1].title + leftOut(rest) + (isClear ? "" : remedy)
        }
    }

    /// The first two columns that may be sides.
    public var usual: [Column] {
        guard case .first(let others) = sides else { return [] }
        return Array(columns.filter { !others.contains($0.place) }.prefix(2))
    }

    private func list(_ places: [Int]) -> String {
        places.map { place in
            columns.first { $0.place == place }?.title ?? "\(place + 1)"
        }.joined(separator: " + ")
    }

    private func leftOut(_ rest: [Column]) -> String {
        guard !rest.isEmpty else { return "" }
        let titles = rest.prefix(Self.mostNamed).map(\.title)
        let more = rest.count - titles.count
        let list = more > 0 ? titles + ["\(more) more"] : titles
        return "; left out: " + list.joined(separator: ", ")
    }

    private static let mostNamed = 12
}

extension String {
    /// At most 40 characters.
    var shortened: String { count <= 40 ? self : prefix(39) + "…" }
}
