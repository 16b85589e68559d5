import BusdScreens
import BusdTerminal

/// The study of a book: the card, and the progress.
struct StudyPicture {
    let title: String
    let state: StudyState

    static let minimum = Size(columns: 24, rows: 7)
    private static let largest = Size(columns: 68, rows: 17)

    func draw(on picture: inout Picture, in area: Area) {
        let inner = area.inset(columns: area.columns >= 60 ? 4 : 0)
        let gap = area.rows >= 14 ? 1 : 0
        let (head, rest) = inner.split(rows: 1 + gap)
        TitleRow(title: title, progress: state.progress)
            .draw(on: &picture.frame, in: head.split(rows: 1).top)
        let body = rest.split(rows: rest.rows - gap).top
        guard let card = state.current else {
            let words = state.isDone ? "Nothing is left to learn here." : "There are no cards yet."
            return picture.frame.write(
                words, in: body, row: body.rows / 2, .center, Style(.good, bold: state.isDone))
        }
        let size = Size(
            columns: min(body.columns, Self.largest.columns),
            rows: min(body.rows, Self.largest.rows))
        let box = body.centered(size)
        CardPicture(card: card).draw(on: &picture.frame, in: box)
        if !state.isRevealed { picture.react(to: .key(.text(" ")), in: box) }
    }
}

/// A card: its front above, and below it its back, or `?` while the back is hidden.
struct CardPicture {
    let card: StudyState.Card

    func draw(on frame: inout Frame, in box: Area) {
        drawBorder(on: &frame, in: box)
        let inner = box.inset(columns: box.columns >= 40 ? 4 : 2, rows: 1)
        let front = WrappedText.balanced(card.front, columns: inner.columns)
        let back = WrappedText.balanced(card.back ?? "", columns: inner.columns)
        let rows = inner.rows - 1
        let share = Self.share(front.lines.count, back.lines.count, of: rows)
        let (top, rest) = inner.split(rows: share)
        let (line, bottom) = rest.split(rows: 1)
        draw(front, on: &frame, in: top, .bold)
        let rule = String(repeating: "┄", count: inner.columns)
        frame.write(rule, in: line, .left, .dim)
        if card.back == nil {
            frame.write("?", in: bottom, row: bottom.rows / 2, .center, .dim)
        } else {
            draw(back, on: &frame, in: bottom, Style(.primary, bold: true))
        }
    }

    /// The number of rows for the front: half of them, unless one side needs more and the other
    /// less.
    static func share(_ front: Int, _ back: Int, of rows: Int) -> Int {
        let half = rows / 2
        if front > half { return max(half, min(front, rows - back)) }
        return back > rows - half ? max(front, rows - back) : half
    }

    private func draw(_ text: WrappedText, on frame: inout Frame, in area: Area, _ style: Style) {
        let lines = text.cut(to: area.rows, columns: area.columns)
        let first = (area.rows - lines.count) / 2
        for (row, line) in lines.enumerated() {
            frame.write(line, in: area, row: first + row, .center, style)
        }
    }

    private func drawBorder(on frame: inout Frame, in box: Area) {
        guard box.rows > 1, box.columns > 1 else { return }
        let line = String(repeating: "─", count: box.columns - 2)
        frame.write("╭" + line + "╮", in: box, .left, .dim)
        frame.write("╰" + line + "╯", in: box, row: box.rows - 1, .left, .dim)
        for row in 1..<max(1, box.rows - 1) {
            frame.write("│", in: box, row: row, .left, .dim)
            frame.write("│", in: box, row: row, .right, .dim)
        }
        let place = " card \(card.position) of \(card.count) "
        frame.write(place, in: box.inset(columns: 2), .left, .dim)
    }
}
