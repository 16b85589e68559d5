import BusdScreens
import BusdTerminal

/// The study of a book: the card, and the progress.
struct StudyPicture {
    let title: String
    let state: StudyState
    var scroll = CardScroll()

    static let minimum = Size(columns: 24, rows: 7)
    private static let largest = Size(columns: 68, rows: 17)

    func draw(on picture: inout Picture, in area: Area) {
        let (head, body) = Self.parts(of: area)
        TitleRow(title: title, progress: state.progress).draw(on: &picture.frame, in: head)
        guard let card = state.current else {
            let words = state.isDone ? "Nothing is left to learn here." : "There are no cards yet."
            return picture.frame.write(
                words, in: body, row: body.rows / 2, .center, Style(.good, bold: state.isDone))
        }
        let box = Self.box(in: body)
        CardPicture(card: card, scroll: scroll).draw(on: &picture.frame, in: box)
        if !state.isRevealed { picture.react(to: .key(.text(" ")), in: box) }
    }

    /// The lines of the card in an area of the page; nil if no card is shown.
    func layout(in area: Area) -> CardLayout? {
        state.current.map { CardLayout($0, in: Self.box(in: Self.parts(of: area).body)) }
    }

    private static func parts(of area: Area) -> (head: Area, body: Area) {
        let inner = area.inset(columns: area.columns >= 60 ? 4 : 0)
        let gap = area.rows >= 14 ? 1 : 0
        let (head, rest) = inner.split(rows: 1 + gap)
        return (head.split(rows: 1).top, rest.split(rows: rest.rows - gap).top)
    }

    private static func box(in body: Area) -> Area {
        body.centered(
            Size(
                columns: min(body.columns, largest.columns), rows: min(body.rows, largest.rows)))
    }
}
