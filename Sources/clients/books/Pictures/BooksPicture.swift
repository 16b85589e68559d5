import BusdBooksEvents
import BusdProtocol
import BusdScreens
import BusdTerminal

/// The library: one line per book, and the progress of all books.
struct BooksPicture {
    let state: BooksState

    static let minimum = Size(columns: 30, rows: 4)
    static let deleted = "deleted: u takes it back"
    /// The title, and an empty row.
    private static let head = 2

    /// The number of books that an area shows at once.
    static func page(in area: Area) -> Int { area.rows - head }

    func draw(on picture: inout Picture, in area: Area) {
        let inner = area.inset(columns: area.columns >= 60 ? 2 : 0)
        TitleRow(title: "Books", note: place(in: area), progress: state.progress)
            .draw(on: &picture.frame, in: inner.split(columns: 2).right.split(rows: 1).top)
        let body = inner.split(rows: Self.head).bottom
        let list = state.list
        if list.rows.isEmpty {
            return picture.frame.write(
                empty, in: body, row: body.rows / 3, .center, .dim)
        }
        let shown = list.rows[list.firstShown(of: body.rows)...].prefix(body.rows)
        let columns = BooksColumns(shown, width: body.columns)
        for (offset, row) in shown.enumerated() {
            let line = body.split(rows: offset).bottom.split(rows: 1).top
            draw(row, on: &picture.frame, columns, line)
            picture.react(to: .row(row.id), in: line)
        }
    }

    private var empty: String {
        if state.list.isHidden { return "The daemon does not show you its books." }
        return state.list.isKnown ? "No books yet: n begins one." : "Waiting for the daemon…"
    }

    /// `51 of 100`; empty if all books are visible.
    private func place(in area: Area) -> String {
        let list = state.list
        guard list.rows.count > Self.page(in: area), let place = list.chosenPlace else { return "" }
        return "\(place + 1) of \(list.rows.count)"
    }

    private func draw(
        _ row: Books.Row, on frame: inout Frame, _ columns: BooksColumns, _ line: Area
    ) {
        let isChosen = row.id == state.list.chosen
        if isChosen {
            frame.write("▸", in: line)
            frame.hiddenCursor = Point(column: line.column, row: line.row)
        }
        frame.write(row.id, in: columns.id(in: line), .right, .dim)
        if row.isDeleted {
            drawDeleted(row, on: &frame, columns, line)
            if isChosen { frame.restyle(columns.text(in: line)) { $0.isReverse = true } }
            return
        }
        frame.write(row.name, in: columns.name(in: line))
        frame.write(row.cards, in: columns.cards(in: line), .right, .dim)
        let bar = ProgressBar(row.progress)
        bar.draw(on: &frame, in: columns.bar(in: line))
        frame.write(row.progress, in: columns.progress(in: line), .right, bar.style)
        if isChosen { frame.restyle(columns.text(in: line)) { $0.isReverse = true } }
    }
}

extension BooksPicture {
    private func drawDeleted(
        _ row: Books.Row, on frame: inout Frame, _ columns: BooksColumns, _ line: Area
    ) {
        let name = columns.name(in: line)
        let rest = line.split(columns: name.column - line.column).right
        let note = Self.deleted
        let (left, _) = rest.split(columns: max(0, rest.columns - note.columns - 2))
        frame.write(row.name, in: left, .left, .dim)
        frame.write(note, in: rest, .right, Style(.notice))
    }
}

/// The columns of a row. The name gets the rest of the width.
struct BooksColumns {
    private let id: Range<Int>
    private let name: Range<Int>
    private let cards: Range<Int>
    private let bar: Range<Int>
    private let progress: Range<Int>

    init(_ rows: ArraySlice<Books.Row>, width: Int) {
        let idWidth = rows.reduce(2) { max($0, $1.id.columns) }
        let cardsWidth = rows.reduce(7) { max($0, $1.cards.columns) }
        let barWidth = width >= 60 ? 14 : 0
        id = 2..<2 + idWidth
        progress = max(0, width - 5)..<max(0, width)
        bar = max(0, progress.lowerBound - barWidth)..<progress.lowerBound
        let gap = barWidth > 0 ? 3 : 1
        let cardsEnd = max(0, bar.lowerBound - gap)
        cards = max(0, cardsEnd - cardsWidth)..<cardsEnd
        let start = id.upperBound + 2
        name = start..<max(start, cards.lowerBound - 2)
    }

    private func cell(_ columns: Range<Int>, in row: Area) -> Area {
        row.split(columns: columns.lowerBound).right.split(columns: columns.count).left
    }

    func id(in row: Area) -> Area { cell(id, in: row) }
    func name(in row: Area) -> Area { cell(name, in: row) }
    func cards(in row: Area) -> Area { cell(cards, in: row) }
    func bar(in row: Area) -> Area { cell(bar, in: row) }
    func progress(in row: Area) -> Area { cell(progress, in: row) }
    /// From the mark to the cards.
    func text(in row: Area) -> Area { cell(0..<cards.upperBound, in: row) }
}
