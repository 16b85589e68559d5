import BusdBooksEvents
import BusdProtocol
import BusdScreens
import BusdTerminal

/// The draft of a book: its name, or its cards.
struct CreatorPicture {
    /// The name of the draft. With `--creator` it opens the draft in another terminal.
    let draft: String
    let screen: BookCreator.Screen
    let name: TextField
    let canGoOn: Bool
    let cards: CardsState

    static let minimum = Size(columns: 30, rows: 7)
    private static let next = Button("Next", .enter)
    private static let add = Button("Add", .control("d"))

    func draw(on picture: inout Picture, in area: Area) {
        let inner = area.inset(columns: area.columns >= 60 ? 4 : 0)
        let (title, rest) = inner.split(rows: area.rows >= 9 ? 2 : 1)
        switch screen {
        case .name:
            drawTitle("New book · draft \(draft)", Self.next, canGoOn, on: &picture, in: title)
            drawName(on: &picture, in: rest)
        case .cards:
            drawTitle(
                "\(name.text) · draft \(draft)", Self.add, cards.canAdd, on: &picture, in: title)
            CardsPicture(state: cards).draw(on: &picture.frame, in: rest)
        }
    }

    private func drawTitle(
        _ text: String, _ button: Button, _ isEnabled: Bool, on picture: inout Picture, in row: Area
    ) {
        let (left, right) = row.split(columns: row.columns - button.columns)
        let room = left.split(columns: left.columns - 2).left
        picture.frame.write(text, in: room, .left, .bold)
        button.draw(isEnabled: isEnabled, on: &picture, in: right)
    }

    private func drawName(on picture: inout Picture, in area: Area) {
        let row = area.split(rows: min(2, area.rows / 4)).bottom.split(rows: 1).top
        FormField(number: 0, label: "Name", field: name, isFocused: true)
            .draw(on: &picture, in: row, labelColumns: 6)
        let below = Area(
            column: area.column + 6, row: row.row + 2, columns: area.columns - 6,
            rows: area.endRow - row.row - 2)
        for (row, line) in Self.words.enumerated() {
            picture.frame.write(line, in: below, row: row, .left, .dim)
        }
    }

    private static let words = ["Its cards come next.", "Any terminal can go on with it."]
}
