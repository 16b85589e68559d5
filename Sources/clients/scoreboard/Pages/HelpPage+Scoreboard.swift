import BusdScreens
import BusdTerminal

extension HelpPage {
    convenience init(on host: any PageHost<Step>) {
        self.init(.scoreboard) { [weak host] key in
            host?.go(key == .text("q") ? .quit : .back)
        }
    }
}

extension HelpPicture {
    static let scoreboard = HelpPicture(
        [
            ("← → ↑ ↓ tab", "choose a player"), ("1 2", "one point, two points"),
            ("a r f", "assist, rebound, foul"), ("space", "start and pause the clock"),
            ("u", "take back the last move"), ("g n", "games, new game"), ("? q", "help, quit"),
        ],
        [("↑ ↓ enter", "choose and open a game"), ("d", "delete the game"), ("esc", "back")],
        others: [("mouse", "choose a player, or click a word at the bottom")])
}
