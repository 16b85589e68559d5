import BusdBooksEvents
import BusdProtocol
import BusdScreens
import BusdTerminal

/// The cards of a book: one line per card, its front and its back side by side.
struct BookCardsPicture {
    let state: BookCards

    static let minimum = Size(columns: 30, rows: 5)
    /// The title, and an empty row.
    private static let head = 2

    /// The number of cards that an area shows at once, without a search.
    static func page(in area: Area) -> Int { area.rows - head }

    func draw(on picture: inout Picture, in area: Area) {
        let inner = area.inset(columns: area.columns >= 60 ? 2 : 0)
        let head = inner.split(columns: 2).right.split(rows: 1).top
        TitleRow(title: state.name, note: note, progress: "").draw(on: &picture.frame, in: head)
        let hasSearch = state.search.isOpen || !state.search.isEmpty
        let (list, last) = inner.split(rows: Self.head).bottom
            .split(rows: inner.rows - Self.head - (hasSearch ? 1 : 0))
        state.search.draw(on: &picture.frame, in: last.split(columns: 2).right)
        guard !state.shown.isEmpty else { return drawNothing(on: &picture.frame, in: list) }
        let width = max(2, "\(state.cards.count)".count)
        let places = state.shown[state.firstRow(of: list.rows)...].prefix(list.rows)
        for (row, place) in places.enumerated() {
            let line = list.split(rows: row).bottom.split(rows: 1).top
            draw(place, on: &picture.frame, numberColumns: width, in: line)
            picture.react(to: .row("\(place)"), in: line)
        }
    }

    /// `51 of 4000`, or with a search `2 of 7 found`.
    private var note: String {
        guard state.isKnown else { return "" }
        let count = state.shown.count
        let place = count == 0 ? 0 : state.chosenRow + 1
        return "\(place) of \(count)" + (state.search.isEmpty ? "" : " found")
    }

    private func drawNothing(on frame: inout Frame, in area: Area) {
        let words =
            !state.isKnown
            ? "Waiting for the daemon…"
            : state.cards.isEmpty ? "No cards yet: n adds one." : "No card has this text."
        frame.write(words, in: area, row: area.rows / 3, .center, .dim)
    }

    private func draw(_ place: Int, on frame: inout Frame, numberColumns: Int, in line: Area) {
        let card = state.cards[place]
        let isChosen = place == state.chosen
        if isChosen {
            frame.write("▸", in: line)
            frame.hiddenCursor = Point(column: line.column, row: line.row)
        }
        let (number, rest) = line.split(columns: 2).right.split(columns: numberColumns)
        frame.write("\(place + 1)", in: number, .right, .dim)
        let sides = rest.split(columns: 2).right
        let (front, back) = sides.split(columns: sides.columns * 2 / 5)
        frame.write(card.front.inOneLine, in: front)
        frame.write(card.back.inOneLine, in: back.split(columns: 2).right)
        if isChosen { frame.restyle(line) { $0.isReverse = true } }
    }
}

extension String {
    /// With a space for each control character.
    var inOneLine: String {
        String(String.UnicodeScalarView(unicodeScalars.map { $0.value < 0x20 ? " " : $0 }))
    }
}
