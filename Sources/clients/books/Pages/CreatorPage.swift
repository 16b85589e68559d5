import BusdBooksEvents
import BusdClient
import BusdProtocol
import BusdScreens
import BusdTerminal

/// Adds a book on two screens, each with its own view, and with one view model for both. When a
/// terminal goes on to the cards, all terminals with this draft do. Each terminal goes back to the
/// name by itself.
final class CreatorPage: Page {
    private weak var host: (any PageHost<Step>)?
    private let viewModel: RemoteViewModel<BookCreator>
    private let connection: BusConnection
    private let name = NameView()
    private let cards = CardsView()
    private let screen = ScreenView()
    private var pendingSend: ScheduledAction?
    /// The texts at the time when the connection was lost.
    private var savedTexts: (name: String, cards: String, screen: BookCreator.Screen)?

    init(_ address: Address, _ connection: BusConnection, on host: any PageHost<Step>) {
        self.host = host
        self.connection = connection
        viewModel = RemoteViewModel(connection, at: address, as: "book-creator")
        viewModel.report(to: host)
        viewModel.onLiveChanged = { [weak self] in self?.liveChanged($0) }
        viewModel.onRefused = { [weak self] in self?.notDone("refused: \($0.message)") }
        viewModel.onUnanswered = { [weak self] in self?.notDone($0.withoutAnswer) }
        viewModel.onHandled = { [weak self] in self?.handled($0) }
        cards.onAdded = { [weak self] in self?.added($0, hasAll: $1) }
        screen.bind(with: viewModel)
        name.bind(with: viewModel)
        cards.bind(with: viewModel)
    }

    /// A draft is only in the daemon's memory. If it is empty after a restart, the texts of this
    /// screen are sent again.
    private func liveChanged(_ isLive: Bool) {
        host?.changed()
        guard isLive else {
            savedTexts = savedTexts ?? (name.name.text, cards.text.text, screen.name)
            return
        }
        if let savedTexts, !savedTexts.name.isEmpty, name.name.text.isEmpty, cards.count == 0 {
            name.resend(savedTexts.name)
            if savedTexts.screen == .cards { name.goOn() }
            cards.restore(savedTexts.cards)
        }
        savedTexts = nil
        sendAfterPause()
    }

    private func added(_ book: Books.Row.ID, hasAll: Bool) {
        if hasAll {
            host?.go(.added(book))
        } else {
            host?.showNotice("The book was added without these cards: they are a new draft.")
            sendAfterPause()
        }
    }

    private func notDone(_ notice: String) {
        name.forgetSent()
        screen.answered()
        let isMerged = cards.notHandled()
        sendAfterPause()
        if !isMerged { host?.showNotice(notice) }
    }

    private func handled(_ event: BookCreator.ViewEvent) {
        cards.handled(event)
        if event == .backTapped { screen.answered() }
        sendAfterPause()
        host?.changed()
    }

    // MARK: Keys

    func press(_ key: Key) {
        host?.changed()
        switch screen.name {
        case .name: pressOnName(NameCommand(key))
        case .cards: pressOnCards(CardsCommand(key))
        }
    }

    private func pressOnName(_ command: NameCommand) {
        switch command {
        case .goOn: name.goOn()
        case .leave: host?.go(.back)
        case .edit(let key): name.edit(key)
        }
    }

    private func pressOnCards(_ command: CardsCommand) {
        switch command {
        case .add: cards.add(name.name.text)
        case .goBack: screen.goBack()
        case .edit(let key):
            if !cards.edit(key) {
                host?.showNotice("too long to be added here: see 'books import --help'")
            }
            pendingSend = nil
            sendAfterPause()
        }
    }

    /// The time without a key after which the text is sent.
    private static let pause = Duration.milliseconds(250)

    /// Sends the text after a pause in typing. While an edit has no answer, or there is no
    /// connection, the next edit waits, and includes everything typed meanwhile.
    private func sendAfterPause() {
        guard cards.isUnsent, pendingSend == nil else { return }
        pendingSend = connection.loop.clock.schedule(after: Self.pause) { [weak self] in
            guard let self else { return }
            pendingSend = nil
            // `liveChanged` calls this method again.
            guard viewModel.isLive else { return }
            cards.sendText()
            sendAfterPause()
        }
    }

    // MARK: Drawing

    var minimum: Size { CreatorPicture.minimum }

    var hints: [Hint] {
        switch screen.name {
        case .name: NameCommand.hints(canGoOn: name.canGoOn)
        case .cards: CardsCommand.hints(canAdd: cards.canAdd)
        }
    }

    func draw(on picture: inout Picture, in area: Area) {
        CreatorPicture(
            draft: viewModel.address.name, screen: screen.name, name: name.name.field,
            canGoOn: name.canGoOn, cards: CardsState(cards)
        ).draw(on: &picture, in: area)
    }
}

/// Which of the two screens is shown. If another terminal goes back, this one stays with the cards.
/// Otherwise keys for a card would change the name.
final class ScreenView: View {
    let output = Output<BookCreator.ViewEvent>()
    private(set) var name = BookCreator.Screen.name
    private var isGoingBack = false

    func handle(event: BookCreator.ViewModelEvent) {
        if case .screen(.cards) = event, !isGoingBack { name = .cards }
    }

    func goBack() {
        (name, isGoingBack) = (.name, true)
        output.send(.backTapped)
    }

    func answered() { isGoingBack = false }
}
