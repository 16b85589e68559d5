import BusdProtocol
import BusdTerminal

// The text is shared: it goes out after a pause in typing, and comes back with a revision. An edit
// says on which revision it is based, so the view model can merge edits of two terminals by line.
// A text that comes in is merged with what was typed here since. While an edit is under way its
// result is not known, so texts that come in then wait for the answer.

/// The second screen of adding a book: its cards.
final class CardsView: View {
    let output = Output<BookCreator.ViewEvent>()
    private(set) var text = TextArea()
    private(set) var count = 0
    private(set) var problems: [String] = []
    private(set) var canAdd = false
    /// The book exists. It has all cards of this screen, else the rest of them stays here.
    var onAdded: ((_ book: Books.Row.ID, _ hasAll: Bool) -> Void)?
    /// The view model does not have the text as it is now.
    private(set) var isUnsent = false
    /// The text that edits are based on.
    private var shared = Shared(text: "", revision: 0)
    /// The edit that is under way.
    private var sent: String?
    /// The newest text that came in since.
    private var newest: Shared?
    /// Name of the book that is to be added after the answer.
    private var nameToAdd: String?
    /// The cards that were sent to be added.
    private var adding: String?

    private struct Shared {
        var text: String
        var revision: Int
    }

    /// A text is sent in one line of the wire, with room for the rest of it.
    static let mostBytes = 60_000

    func handle(event: BookCreator.ViewModelEvent) {
        switch event {
        case .cardsText(let text, let revision):
            let new = Shared(text: text, revision: revision)
            if sent == nil { take(new) } else { newest = new }
        case .cards(let count, let problems): (self.count, self.problems) = (count, problems)
        case .addEnabled(let isEnabled): canAdd = isEnabled
        case .added(let book):
            onAdded?(book, added())
        case .screen, .name, .nextEnabled: break
        }
    }

    /// The draft has become a book, and is empty. Cards that are not in the book belong to the next
    /// draft: merging with its empty text leaves them. Returns whether the book has all cards.
    private func added() -> Bool {
        let cards = adding ?? (newest ?? shared).text
        shared.text = cards
        (newest, nameToAdd, adding) = (nil, nil, nil)
        guard cards.utf8.elementsEqual(text.text.utf8) else { return false }
        text = TextArea()
        shared.text = ""
        (isUnsent, sent) = (false, nil)
        return true
    }

    /// A lower revision is of a draft that knows nothing of the former one, as after a restart of
    /// the daemon: what was typed here stays, and is sent again.
    private func take(_ new: Shared) {
        let base = new.revision < shared.revision ? "" : shared.text
        let merged = MergedLines(base: base, theirs: new.text, mine: text.text)
        let row = merged.places.indices.contains(text.row) ? merged.places[text.row] : text.row
        if !text.text.utf8.elementsEqual(merged.text.utf8) { text.become(merged.text, row: row) }
        shared = new
        isUnsent = !merged.text.utf8.elementsEqual(new.text.utf8)
    }

    /// Edits the text. Returns false where it would become too long, and leaves it as it was.
    func edit(_ key: Key) -> Bool {
        let former = text
        guard text.edit(key), text.text != former.text else { return true }
        guard Self.fits(text.text) else {
            text = former
            return false
        }
        isUnsent = true
        return true
    }

    func tell() {
        guard isUnsent, sent == nil else { return }
        isUnsent = false
        sent = text.text
        output.send(.cardsChanged(text: text.text, revision: shared.revision))
    }

    /// The view model has taken an edit: the text that was sent, and what others typed, is shared.
    func handled(_ event: BookCreator.ViewEvent) {
        guard case .cardsChanged = event, let edit = sent else { return }
        shared.text = edit
        settled()
    }

    /// An event was refused, or has no answer. Returns whether it was an edit that is now merged
    /// with a newer text, and sent again.
    @discardableResult
    func notHandled() -> Bool {
        (nameToAdd, adding) = (nil, nil)
        guard sent != nil else { return false }
        let isMerged = newest != nil
        isUnsent = false
        settled()
        return isMerged && isUnsent
    }

    private func settled() {
        sent = nil
        if let newest { take(newest) }
        newest = nil
        if let name = nameToAdd { add(name) }
    }

    /// The view model has forgotten the text, as after a restart of the daemon.
    func restore(_ former: String) {
        guard text.isEmpty, !former.isEmpty else { return }
        text = TextArea(former)
        isUnsent = true
    }

    /// Adds the text as it is shown, under the name as it is shown.
    func add(_ name: String) {
        nameToAdd = sent == nil ? nil : name
        guard sent == nil else { return }
        tell()
        adding = text.text
        output.send(.addTapped(name: name, text: text.text))
    }

    private static func fits(_ text: String) -> Bool {
        if text.utf8.count > mostBytes { return false }
        var json = JSONWriter()
        json.value(text)
        return json.bytes.count <= mostBytes
    }
}
