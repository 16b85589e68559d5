import BusdBooksEvents
import BusdProtocol
import BusdTerminal

// Several terminals share the text. It is sent after a pause in typing, and comes back with a
// revision. Each edit has the revision that it is based on, so the view model can merge edits of
// two terminals by line. An incoming text is merged with later changes of this terminal. While an
// edit has no answer, its result is unknown, so incoming texts wait for the answer.

/// The second screen of adding a book: its cards.
final class CardsView: View {
    let output = Output<BookCreator.ViewEvent>()
    private(set) var text = TextArea()
    private(set) var count = 0
    private(set) var problems: [String] = []
    private(set) var canAdd = false
    /// The book was added. `hasAll`: it has all cards of this screen. Otherwise the others stay
    /// here.
    var onAdded: ((_ book: Books.Row.ID, _ hasAll: Bool) -> Void)?
    /// The view model does not have the current text.
    private(set) var isUnsent = false
    /// The last known text of the view model. Edits are based on it.
    private var shared = Shared(text: "", revision: 0)
    /// The edit that has no answer yet.
    private var sent: String?
    /// The newest text that has arrived while `sent` had no answer.
    private var newest: Shared?
    /// The name of the book to add after the answer.
    private var nameToAdd: String?
    /// The cards of an add without a result so far.
    private var adding: String?

    private struct Shared {
        var text: String
        var revision: Int
    }

    /// The text is sent in one line of the protocol, with room for the rest of the request.
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

    /// The draft has become a book and is empty now. Cards that are not in the book belong to the
    /// next draft: they remain after the merge with its empty text. Returns whether the book has
    /// all cards.
    private func added() -> Bool {
        let cards = adding ?? (newest ?? shared).text
        shared.text = cards
        (newest, nameToAdd, adding) = (nil, nil, nil)
        guard cards.isExactly(text.text) else { return false }
        text = TextArea()
        shared.text = ""
        (isUnsent, sent) = (false, nil)
        return true
    }

    /// A lower revision belongs to a new draft, for example after a restart of the daemon. Then the
    /// text of this screen stays and is sent again.
    private func take(_ new: Shared) {
        let base = new.revision < shared.revision ? "" : shared.text
        let merged = MergedLines(base: base, theirs: new.text, mine: text.text)
        let row = merged.places.indices.contains(text.row) ? merged.places[text.row] : text.row
        if text.isEmpty {
            // This screen joins the draft: its cursor is at the end.
            text = TextArea(merged.text)
        } else if !text.text.isExactly(merged.text) {
            text.replace(with: merged.text, row: row)
        }
        shared = new
        isUnsent = !merged.text.isExactly(new.text)
    }

    /// Edits the text. Returns false, and changes nothing, if the text would become too long.
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

    func sendText() {
        guard isUnsent, sent == nil else { return }
        isUnsent = false
        sent = text.text
        output.send(.cardsChanged(text: text.text, revision: shared.revision))
    }

    /// The view model has accepted an edit, so the sent text is shared now.
    func handled(_ event: BookCreator.ViewEvent) {
        guard case .cardsChanged = event, let edit = sent else { return }
        shared.text = edit
        settled()
    }

    /// An event was refused, or got no answer. Returns whether it was an edit that is now merged
    /// with a newer text and will be sent again.
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

    /// Restores a text that the view model has lost, for example after a restart of the daemon.
    func restore(_ former: String) {
        guard text.isEmpty, !former.isEmpty else { return }
        text = TextArea(former)
        isUnsent = true
    }

    /// Adds a book with the shown text and name.
    func add(_ name: String) {
        nameToAdd = sent == nil ? nil : name
        guard sent == nil else { return }
        sendText()
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
