import BusdScreens
import BusdTerminal

extension HelpPage {
    convenience init(on host: any PageHost<Step>) {
        self.init(.books) { [weak host] key in host?.go(key == .text("q") ? .quit : .back) }
    }
}

extension HelpPicture {
    static let books = HelpPicture(
        [
            ("↑ ↓ enter", "choose a book and study it"), ("J K", "move it down, up"),
            ("n r d", "new book, rename or delete it"), ("c", "its cards: change, add, remove"),
        ],
        [
            ("space", "reveal the card"), ("k →  u ←", "known, unknown"),
            ("z a", "undo, a second round"), ("e c", "change the card, all cards"),
        ],
        [("esc", "back"), ("? q", "help, quit")],
        others: [("mouse", "choose a book, or click a word at the bottom")])
}
