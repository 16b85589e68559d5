import Terminal

/// The keys, and what they do.
struct HelpPicture {
    private static let game = [
        ("← → ↑ ↓ tab", "choose a player"), ("1 2", "one point, two points"),
        ("a r f", "assist, rebound, foul"), ("space", "start and pause the clock"),
        ("u", "take back the last move"), ("g n", "games, new game"), ("? q", "help, quit"),
    ]
    private static let games = [
        ("↑ ↓ enter", "choose and open a game"), ("d", "delete the game"), ("esc", "back"),
    ]

    func draw(on frame: inout Frame, in area: Area) {
        let isLoose = area.rows >= 18
        let gap = [("", "")]
        let lines =
            Self.game + (isLoose ? gap : []) + Self.games
            + (isLoose ? gap + [("mouse", "choose a player, or click a word at the bottom")] : [])
        let label = lines.map(\.0.columns).max() ?? 0
        let text = lines.map(\.1.columns).max() ?? 0
        let box = area.centered(Size(columns: label + 3 + text, rows: lines.count))
        for (row, line) in lines.enumerated() {
            let (left, right) = box.split(columns: label + 3)
            frame.write(line.0, in: left, row: row, .left, .bold)
            frame.write(line.1, in: right, row: row)
        }
    }
}
