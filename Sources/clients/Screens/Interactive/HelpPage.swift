package import BusdTerminal

/// A page with all keys. Any key leaves it.
package final class HelpPage: Page {
    private let lines: HelpPicture
    private let leave: (Key) -> Void

    package init(_ lines: HelpPicture, _ leave: @escaping (Key) -> Void) {
        self.lines = lines
        self.leave = leave
    }

    package let minimum = Size(columns: 30, rows: 4)

    package var hints: [Hint] { [Hint("any key", "back", .escape)] }

    package func press(_ key: Key) { leave(key) }

    package func draw(on picture: inout Picture, in area: Area) {
        lines.draw(on: &picture.frame, in: area)
    }
}
