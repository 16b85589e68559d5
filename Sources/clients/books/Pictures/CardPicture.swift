import BusdBooksEvents
import BusdProtocol
import BusdScreens
import BusdTerminal

/// The lines of a card in a box.
struct CardLayout: Equatable {
    /// Inside the border.
    let inner: Area
    let front: [String]
    let back: [String]
    let isRevealed: Bool

    init(_ card: StudyState.Card, in box: Area) {
        inner = box.inset(columns: box.columns >= 40 ? 4 : 2, rows: 1)
        front = WrappedText.balanced(card.front, columns: inner.columns).lines
        back = WrappedText.balanced(card.back ?? "", columns: inner.columns).lines
        isRevealed = card.back != nil
    }

    /// The front, a rule, and the back or a question mark.
    var count: Int { front.count + 1 + max(1, back.count) }

    /// The first line that can be at the top; 0 if all lines fit.
    var lastOffset: Int { max(0, count - inner.rows) }
}

/// Which part of a long card is shown.
struct CardScroll: Equatable {
    /// The first line that is shown.
    private(set) var offset = 0
    /// The number of lines that were shown so far, from the first.
    private var seen = 0
    private var wasRevealed = false
    private var hasTurned = false
    private var card: (front: String, position: Int)?

    static func == (a: Self, b: Self) -> Bool { a.offset == b.offset && a.seen == b.seen }

    /// Call it before the card is drawn. Another card begins at its top, and a revealed card with
    /// the rule above its back.
    mutating func show(_ card: StudyState.Card, _ layout: CardLayout) {
        if self.card.map({ !$0.front.isExactly(card.front) || $0.position != card.position })
            ?? true
        {
            self = CardScroll()
            self.card = (card.front, card.position)
        }
        if layout.isRevealed, !wasRevealed { offset = layout.front.count }
        wasRevealed = layout.isRevealed
        scroll(by: 0, layout)
    }

    mutating func scroll(by lines: Int, _ layout: CardLayout) {
        offset = min(max(0, offset + lines), layout.lastOffset)
        seen = max(seen, offset + layout.inner.rows)
    }

    mutating func scroll(pages: Int, _ layout: CardLayout) {
        scroll(by: pages * max(1, layout.inner.rows - 1), layout)
    }

    /// Space: true if the card is to be revealed, because its front was shown whole or space is
    /// pressed again. Else the next page is shown.
    mutating func turnsOver(_ layout: CardLayout) -> Bool {
        if layout.isRevealed || hasTurned || seen >= layout.front.count { return true }
        hasTurned = true
        scroll(pages: 1, layout)
        return false
    }

    /// The number of lines below the shown ones.
    func below(_ layout: CardLayout) -> Int {
        max(0, layout.count - offset - layout.inner.rows)
    }
}

/// A card: its front above, and below it its back, or `?` while the back is hidden. If it has more
/// lines than the box, a part of them is shown.
struct CardPicture {
    let card: StudyState.Card
    var scroll = CardScroll()

    func draw(on frame: inout Frame, in box: Area) {
        drawBorder(on: &frame, in: box)
        let layout = CardLayout(card, in: box)
        let inner = layout.inner
        if layout.lastOffset > 0, inner.rows > 0 {
            drawPart(of: layout, on: &frame, in: box)
            return
        }
        let share = Self.share(layout.front.count, layout.back.count, of: inner.rows - 1)
        let (top, rest) = inner.split(rows: share)
        let (line, bottom) = rest.split(rows: 1)
        draw(layout.front, on: &frame, in: top, Self.frontStyle)
        drawRule(on: &frame, in: line)
        if layout.isRevealed {
            draw(layout.back, on: &frame, in: bottom, Self.backStyle)
        } else {
            frame.write("?", in: bottom, row: bottom.rows / 2, .center, .dim)
        }
    }

    private static let frontStyle = Style.bold
    private static let backStyle = Style(.primary, bold: true)

    /// The number of rows for the front: half of them, unless one side needs more and the other
    /// less.
    static func share(_ front: Int, _ back: Int, of rows: Int) -> Int {
        let half = rows / 2
        if front > half { return max(half, min(front, rows - back)) }
        return back > rows - half ? max(front, rows - back) : half
    }

    private func drawPart(of layout: CardLayout, on frame: inout Frame, in box: Area) {
        let inner = layout.inner
        for row in 0..<inner.rows {
            let line = scroll.offset + row
            let place = inner.split(rows: row).bottom.split(rows: 1).top
            let inBack = line - layout.front.count - 1
            if line < layout.front.count {
                frame.write(layout.front[line], in: place, .center, Self.frontStyle)
            } else if inBack < 0 {
                drawRule(on: &frame, in: place)
            } else if inBack < layout.back.count, layout.isRevealed {
                frame.write(layout.back[inBack], in: place, .center, Self.backStyle)
            } else if inBack == 0 {
                frame.write("?", in: place, .center, .dim)
            }
        }
        let (below, edge) = (scroll.below(layout), box.inset(columns: 2))
        let style = Style(.notice, bold: true)
        if below > 0 {
            frame.write(" ↓ \(below) more ", in: edge, row: box.rows - 1, .right, style)
        }
        if scroll.offset > 0 { frame.write(" ↑ \(scroll.offset) ", in: edge, .right, style) }
    }

    private func drawRule(on frame: inout Frame, in row: Area) {
        frame.write(String(repeating: "┄", count: row.columns), in: row, .left, .dim)
    }

    private func draw(_ lines: [String], on frame: inout Frame, in area: Area, _ style: Style) {
        let first = (area.rows - lines.count) / 2
        for (row, line) in lines.prefix(area.rows).enumerated() {
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
