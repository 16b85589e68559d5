import BusdProtocol
import BusdScreens
import BusdTerminal

/// The cards of a draft, as they are shown.
struct CardsState {
    let text: TextArea
    let count: Int
    let problems: [String]
    let canAdd: Bool

    init(_ view: CardsView) {
        text = view.text
        count = view.count
        problems = view.problems
        canAdd = view.canAdd
    }
}

/// The cards as they are typed, one per line, and their number and problems from the view model.
struct CardsPicture {
    let state: CardsState

    func draw(on frame: inout Frame, in area: Area) {
        let isLoose = area.rows >= 12
        let inner = area.split(rows: area.rows - (isLoose ? 1 : 0)).top
        let problems = min(state.problems.count, max(1, inner.rows / 3))
        let gap = inner.rows >= 8 ? 1 : 0
        let (text, summary) = inner.split(rows: inner.rows - gap - 1 - problems)
        if state.text.isEmpty { drawHelp(on: &frame, in: text) }
        drawText(on: &frame, in: text)
        drawCountAndProblems(on: &frame, in: summary.split(rows: gap).bottom)
    }

    // MARK: Text

    private func drawText(on frame: inout Frame, in area: Area) {
        let lines = state.text.lines
        let (gutter, room) = area.split(columns: "\(max(99, lines.count))".count + 2)
        let numbers = gutter.split(columns: gutter.columns - 2).left
        let first = max(0, min(state.text.row - area.rows / 2, lines.count - area.rows))
        let shown = lines[first...].prefix(area.rows)
        let sides = CardSides(shown, columns: room.columns)
        for (row, line) in shown.enumerated() {
            let isCurrent = first + row == state.text.row
            let style: Style = isCurrent ? .bold : .dim
            frame.write("\(first + row + 1)", in: numbers, row: row, .right, style)
            let place = room.split(rows: row).bottom.split(rows: 1).top
            if isCurrent {
                state.text.current.showing { sides.spelled($0, of: line) }
                    .draw(in: &frame, place, isFocused: true)
            } else {
                frame.write(sides.spelled(line, of: line), in: place)
            }
        }
    }

    private func drawHelp(on frame: inout Frame, in area: Area) {
        let room = area.split(columns: 5).right.split(rows: 1).bottom
        let words = "Paste or type the cards, one per line: front, tab, back."
        for (row, line) in WrappedText(words, columns: min(room.columns, 60)).lines.enumerated() {
            frame.write(line, in: room, row: row, .left, .dim)
        }
    }

    // MARK: From the view model

    private func drawCountAndProblems(on frame: inout Frame, in area: Area) {
        let count = state.count == 1 ? "1 card" : "\(state.count) cards"
        frame.write(count, in: area, .left, state.canAdd ? Style(.good, bold: true) : .bold)
        ProblemList(state.problems).draw(on: &frame, in: area.split(rows: 1).bottom)
    }
}

/// The fronts and the backs of lines in two columns, with an arrow for the tab between them.
private struct CardSides {
    private let frontColumns: Int

    /// - Parameter columns: at most half of them are for the fronts.
    init(_ lines: ArraySlice<String>, columns: Int) {
        let widest = lines.reduce(0) { max($0, Self.front(of: $1)?.columns ?? 0) }
        frontColumns = min(widest, columns / 2)
    }

    private static func front(of line: String) -> String? {
        line.firstIndex(of: "\t").map { String(line[..<$0]) }
    }

    /// - Parameter text: the line, or a piece of it.
    func spelled(_ text: String, of line: String) -> String {
        let missing = max(0, frontColumns - (Self.front(of: line)?.columns ?? 0))
        return text.replacing("\t", with: String(repeating: " ", count: missing) + " → ")
    }
}
