import BusdBooksEvents
import BusdClient
import BusdProtocol
import BusdScreens
import BusdTerminal

/// The cards of a book, live.
final class BookCardsPage: Page {
    private weak var host: (any PageHost<Step>)?
    private let viewModel: RemoteViewModel<Cards>
    private let view = BookCardsView()
    private var asksToRemove: (place: Int, card: Card)?
    private var page = 1

    /// - Parameter place: of the card to choose first, from 0.
    init(
        _ book: Books.Row.ID, at place: Int, _ connection: BusConnection,
        on host: any PageHost<Step>
    ) {
        self.host = host
        let address = Address.literal("cards").appending(book) ?? .literal("cards")
        viewModel = RemoteViewModel(connection, at: address, as: "cards")
        viewModel.report(to: host)
        viewModel.onGone = { [weak host] in host?.go(.gone) }
        viewModel.onRefused = { [weak self] in self?.refused($0) }
        view.state.choose(place)
        view.bind(with: viewModel)
    }

    private func refused(_ error: WireError) {
        if view.state.isKnown {
            host?.showNotice("refused: \(error.message)")
        } else {
            host?.go(.refused(error.about("book", at: viewModel.address)))
        }
    }

    // MARK: Keys

    func press(_ key: Key) {
        host?.changed()
        if let asked = asksToRemove {
            asksToRemove = nil
            if key == .text("y") { view.remove(asked.card, at: asked.place) }
        } else if !view.state.search.press(key), let command = BookCardsCommand(key, page: page) {
            obey(command)
        }
    }

    private func obey(_ command: BookCardsCommand) {
        switch command {
        case .choose(let step): view.state.choose(by: step)
        case .move(let step):
            if view.state.search.isEmpty {
                view.moveChosen(by: step)
            } else {
                host?.showNotice("esc shows all cards, then J and K move this one")
            }
        case .edit: if let card = view.state.chosenCard { edit(card, at: view.state.chosen) }
        case .add: if view.state.isKnown { edit(nil, at: view.state.placeOfNew()) }
        case .remove: asksToRemove = view.state.chosenCard.map { (view.state.chosen, $0) }
        case .undo: view.undo()
        case .search: if view.state.isKnown { view.state.search.open() }
        case .help: host?.go(.help)
        case .back:
            if view.state.search.isEmpty { host?.go(.back) } else { view.state.search.clear() }
        case .quit: host?.go(.quit)
        }
    }

    private func edit(_ card: Card?, at place: Int) {
        host?.go(
            .edit(CardToEdit(book: viewModel.address.name, place: place, card: card)))
    }

    func touch(_ touch: Touch) {
        guard case .row(let text) = touch, let place = Int(text) else { return }
        if place == view.state.chosen { return press(.enter) }
        view.state.choose(place)
        host?.changed()
    }

    // MARK: Drawing

    var minimum: Size { BookCardsPicture.minimum }

    var hints: [Hint] {
        if view.state.search.isOpen { return Search.hints }
        return view.state.isKnown ? BookCardsCommand.hints(view.state) : []
    }

    var question: String? {
        asksToRemove.map { "Remove \($0.card.front.inOneLine) from the book? y/n" }
    }

    func draw(on picture: inout Picture, in area: Area) {
        page = BookCardsPicture.page(in: area)
        BookCardsPicture(state: view.state).draw(on: &picture, in: area)
    }
}
