import Protocol
import Terminal

/// The second screen of adding a book: its cards.
///
/// The view model tells how many cards there are and what is wrong, and not the text. So each
/// terminal shows what was typed into it; whoever types last tells the view model all the cards.
final class CardsView: View {
    let output = Output<BookCreator.ViewEvent>()
    private(set) var text = TextArea()
    private(set) var count = 0
    private(set) var problems: [String] = []
    private(set) var canAdd = false
    /// The book has come to be.
    var onAdded: ((Books.Row.ID) -> Void)?
    /// The view model has not been told the text as it is now.
    private(set) var isUntold = false

    /// A text is told in one line of the wire, with room for the rest of it.
    static let mostBytes = 60_000

    func handle(event: BookCreator.ViewModelEvent) {
        switch event {
        case .cards(let count, let problems): (self.count, self.problems) = (count, problems)
        case .addEnabled(let isEnabled): canAdd = isEnabled
        case .added(let book):
            text = TextArea()
            isUntold = false
            onAdded?(book)
        case .screen, .name, .nextEnabled: break
        }
    }

    /// Edits the text. Returns false where it would become too long, and leaves it as it was.
    func edit(_ key: Key) -> Bool {
        let former = text
        guard text.edit(key), text.text != former.text else { return true }
        guard Self.fits(text.text) else {
            text = former
            return false
        }
        isUntold = true
        return true
    }

    func tell() {
        guard isUntold else { return }
        isUntold = false
        output.send(.cardsChanged(text: text.text))
    }

    /// The view model has forgotten the text.
    func forgotten() { isUntold = !text.isEmpty }

    func add() {
        tell()
        output.send(.addTapped)
    }

    func goBack() { output.send(.backTapped) }

    private static func fits(_ text: String) -> Bool {
        if text.utf8.count > mostBytes { return false }
        var json = JSONWriter()
        json.value(text)
        return json.bytes.count <= mostBytes
    }
}
