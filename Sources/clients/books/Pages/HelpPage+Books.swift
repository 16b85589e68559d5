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
            ("n r", "new book, rename it"), ("d u", "delete it, take it back"),
            ("c", "its cards: change, add, remove"),
        ],
        [
            ("space ↑ ↓", "reveal the card, scroll it"), ("k →  u ←", "known, unknown"),
            ("z a", "undo, a second round"), ("e c", "change the card, all cards"),
            ("/ z", "in the cards: search, undo"),
        ],
        [("esc", "back"), ("? q", "help, quit")],
        others: [("mouse", "choose a book, or click a word at the bottom")])
}
