import BusdBooksEvents
import BusdClient
import BusdProtocol
import BusdScreens
import BusdTerminal

/// A card of a book to be changed, or a place for a new one.
struct CardToEdit: Equatable {
    let book: Books.Row.ID
    /// From 0.
    let place: Int
    /// As this screen shows it; nil: a new card.
    let card: Card?
}

/// Edits the two sides of a card.
final class CardEditorPage: Page {
    private weak var host: (any PageHost<Step>)?
    private let edited: CardToEdit
    /// It only sends: nothing binds to it.
    private let viewModel: RemoteViewModel<Cards>
    private var front: TextArea
    private var back: TextArea
    private var isOnBack = false
    private var isSaving = false

    init(_ edited: CardToEdit, _ connection: BusConnection, on host: any PageHost<Step>) {
        self.edited = edited
        self.host = host
        front = TextArea(edited.card?.front ?? "")
        back = TextArea(edited.card?.back ?? "")
        let address = Address.literal("cards").appending(edited.book) ?? .literal("cards")
        viewModel = RemoteViewModel(connection, at: address, as: "cards")
        viewModel.onHandled = { [weak self] _ in self?.saved() }
        viewModel.onRefused = { [weak self] in self?.notSaved("refused: \($0.message)") }
        viewModel.onUnsent = { [weak self] _ in self?.notSaved("not saved: there is no connection")
        }
        viewModel.onUnanswered = { [weak self] in self?.notSaved($0.withoutAnswer) }
    }

    private func saved() { if isSaving { host?.go(.back) } }

    private func notSaved(_ notice: String) {
        isSaving = false
        host?.showNotice(notice)
    }

    // MARK: Keys

    func press(_ key: Key) {
        host?.changed()
        switch CardEditorCommand(key) {
        case .save: save()
        case .cancel:
            isSaving = false
            host?.go(.back)
        case .otherSide: isOnBack.toggle()
        case .edit(let key): edit(key)
        }
    }

    func touch(_ touch: Touch) {
        guard case .field(let number) = touch else { return }
        isOnBack = number == 1
        host?.changed()
    }

    private func edit(_ key: Key) {
        let former = (front, back)
        let isEdited = isOnBack ? back.edit(key) : front.edit(key)
        guard isEdited, front.text.utf8.count + back.text.utf8.count > Self.mostBytes else {
            return
        }
        (front, back) = former
        host?.showNotice("too long for a card")
    }

    /// The former card and this one are sent in one line of the protocol.
    private static let mostBytes = 24_000

    private func save() {
        let new = Card(front: front.text, back: back.text)
        guard !isSaving else { return }
        guard !front.isEmpty || !back.isEmpty else {
            host?.showNotice("a card needs a front or a back")
            return
        }
        guard new != edited.card else {
            host?.go(.back)
            return
        }
        isSaving = true
        if let card = edited.card {
            viewModel.handle(event: .changeCard(at: edited.place, card: card, to: new))
        } else {
            viewModel.handle(event: .addCard(at: edited.place, card: new))
        }
    }

    // MARK: Drawing

    var minimum: Size { CardEditorPicture.minimum }
    var hints: [Hint] { CardEditorCommand.hints }

    func draw(on picture: inout Picture, in area: Area) {
        let number = edited.place + 1
        CardEditorPicture(
            title: edited.card == nil ? "New card" : "Card \(number)", front: front, back: back,
            isOnBack: isOnBack
        ).draw(on: &picture, in: area)
    }
}
