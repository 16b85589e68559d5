import BusdScreens
import BusdTerminal

/// The two sides of a card that is edited, one below the other.
struct CardEditorPicture {
    let title: String
    let front: TextArea
    let back: TextArea
    let isOnBack: Bool

    static let minimum = Size(columns: 30, rows: 5)
    private static let save = Button("Save", .control("d"))
    private static let labelColumns = 7

    func draw(on picture: inout Picture, in area: Area) {
        let inner = area.inset(columns: area.columns >= 60 ? 4 : 0)
        let (head, rest) = inner.split(rows: area.rows >= 9 ? 2 : 1)
        let (left, right) = head.split(columns: head.columns - Self.save.columns)
        picture.frame.write(title, in: left, .left, .bold)
        Self.save.draw(isEnabled: true, on: &picture, in: right)
        let gap = rest.rows >= 8 ? 1 : 0
        let (top, bottom) = rest.split(rows: (rest.rows - gap) / 2)
        draw(front, "Front", number: 0, on: &picture, in: top)
        draw(back, "Back", number: 1, on: &picture, in: bottom.split(rows: gap).bottom)
    }

    private func draw(
        _ text: TextArea, _ label: String, number: Int, on picture: inout Picture, in area: Area
    ) {
        let isFocused = isOnBack == (number == 1)
        let (head, room) = area.split(columns: Self.labelColumns)
        picture.frame.write(label, in: head, .left, isFocused ? .bold : .dim)
        text.draw(in: &picture.frame, room, isFocused: isFocused)
        picture.react(to: .field(number), in: area)
    }
}
