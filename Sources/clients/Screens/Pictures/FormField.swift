package import BusdTerminal

/// A text field on a page, after its label.
package struct FormField {
    private let number: Int
    private let label: String
    private let field: TextField
    private let isFocused: Bool

    /// - Parameter number: a click on the field is a `Touch.field` with this number.
    package init(number: Int, label: String, field: TextField, isFocused: Bool) {
        self.number = number
        self.label = label
        self.field = field
        self.isFocused = isFocused
    }

    package func draw(on picture: inout Picture, in row: Area, labelColumns: Int) {
        let (head, room) = row.split(columns: labelColumns)
        picture.frame.write(
            label, in: head.split(columns: labelColumns - 1).left, .right,
            isFocused ? .bold : .dim)
        let style = Style(bold: isFocused, underlined: true)
        picture.frame.clear(room, style)
        field.draw(in: &picture.frame, room, isFocused: isFocused, style)
        picture.react(to: .field(number), in: row)
    }
}

/// A word to click on, and the key that does the same.
package struct Button {
    private let text: String
    private let key: Key

    package init(_ title: String, _ key: Key) {
        text = " \(title) "
        self.key = key
    }

    package var columns: Int { text.columns }

    /// - Parameter isEnabled: from the view model. Only an enabled button can be clicked.
    package func draw(isEnabled: Bool, on picture: inout Picture, in row: Area) {
        let style: Style = isEnabled ? Style(.good, bold: true, reverse: true) : .dim
        picture.frame.write(text, in: row, .left, style)
        if isEnabled { picture.react(to: .key(key), in: row.split(rows: 1).top) }
    }
}
