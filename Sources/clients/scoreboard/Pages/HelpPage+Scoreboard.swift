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
            ("← → ↑ ↓ tab", "choose a player"), ("w … i …", "choose the player with this letter"),
            ("1 2", "one point, two points"), ("a r f", "assist, rebound, foul"),
            ("space", "start and pause the clock"), ("- + < >", "move the clock by 1 s, by 10 s"),
            ("u y", "take back the last move, do it again"),
            ("l c", "correct any play, a name or the clock"), ("g n", "games, new game"),
            ("? q", "help, quit"),
        ],
        [
            ("↑ ↓ enter", "choose and open a game"), ("d u", "delete the game, take that back"),
            ("/ esc", "search, back"),
        ],
        others: [
            ("w … 1 …", "in the plays: give a play to a player, make it a move"),
            ("t", "in the plays: take a play out"),
            ("mouse", "choose a player, or click a word at the bottom"),
        ])
}
