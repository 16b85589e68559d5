import Terminal

/// All keys. Any key leads back.
final class HelpPage: Page {
    private weak var stage: (any Stage)?

    init(on stage: any Stage) { self.stage = stage }

    let minimum = Size(columns: 30, rows: 4)

    var hints: [Hint] { [Hint("any key", "back", .escape)] }

    func press(_ key: Key) { stage?.go(key == .text("q") ? .quit : .back) }

    func draw(on picture: inout Picture, in area: Area) {
        HelpPicture().draw(on: &picture.frame, in: area)
    }
}
