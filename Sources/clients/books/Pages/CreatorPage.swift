import BusdClient
import BusdProtocol
import BusdScreens
import BusdTerminal

/// Adds a book, on two screens with a view each, and one view model for both. Which of the two is
/// shown the view model says, and so all who add this book see the same one.
final class CreatorPage: Page {
    private weak var stage: (any Stage<Step>)?
    private let viewModel: RemoteViewModel<BookCreator>
    private let connection: BusConnection
    private let name = NameView()
    private let cards = CardsView()
    private let screen = ScreenView()
    private var telling: ScheduledAction?
    /// What had been typed when the connection was lost.
    private var rescued: (name: String, cards: String, screen: BookCreator.Screen)?

    init(_ address: Address, _ connection: BusConnection, on stage: any Stage<Step>) {
        self.stage = stage
        self.connection = connection
        viewModel = RemoteViewModel(connection, at: address, as: "book-creator")
        viewModel.report(to: stage)
        viewModel.onLiveChanged = { [weak self] in self?.liveChanged($0) }
        viewModel.onRefused = { [weak self] in self?.notDone("refused: \($0.message)") }
        viewModel.onUnanswered = { [weak self] _ in
            self?.notDone("no answer: it may not have been done")
        }
        viewModel.onHandled = { [weak self] in self?.handled($0) }
        cards.onAdded = { [weak stage] book, left in
            stage?.go(.added(book))
            if left != nil { stage?.say("added elsewhere, without what was typed here last") }
        }
        screen.bind(with: viewModel)
        name.bind(with: viewModel)
        cards.bind(with: viewModel)
    }

    /// A draft lives in the daemon's memory: after a restart it is empty, and what had been typed
    /// here is told again.
    private func liveChanged(_ isLive: Bool) {
        stage?.changed()
        guard isLive else {
            rescued = rescued ?? (name.name.text, cards.text.text, screen.name)
            return
        }
        if let rescued, !rescued.name.isEmpty, name.name.text.isEmpty, cards.count == 0 {
            name.tellAgain(rescued.name)
            if rescued.screen == .cards { name.goOn() }
            cards.restore(rescued.cards)
        }
        rescued = nil
        tellSoon()
    }

    private func notDone(_ notice: String) {
        name.forgetSent()
        cards.notHandled()
        tellSoon()
        stage?.say(notice)
    }

    private func handled(_ event: BookCreator.ViewEvent) {
        cards.handled(event)
        tellSoon()
        stage?.changed()
    }

    // MARK: Keys

    func press(_ key: Key) {
        stage?.changed()
        switch screen.name {
        case .name: pressOnName(NameCommand(key))
        case .cards: pressOnCards(CardsCommand(key))
        }
    }

    private func pressOnName(_ command: NameCommand) {
        switch command {
        case .goOn: name.goOn()
        case .leave: stage?.go(.back)
        case .edit(let key): name.edit(key)
        }
    }

    private func pressOnCards(_ command: CardsCommand) {
        switch command {
        case .add: cards.add(name.name.text)
        case .goBack: cards.goBack()
        case .edit(let key):
            if !cards.edit(key) {
                stage?.say("too long to be added here: see 'viewctl import --help'")
            }
            telling = nil
            tellSoon()
        }
    }

    /// A pause in typing.
    private static let pause = Duration.milliseconds(250)

    /// Sends the text after a pause in typing. While an edit is under way, or there is no daemon,
    /// the next one waits, and what is typed meanwhile goes with it.
    private func tellSoon() {
        guard cards.isUntold, telling == nil else { return }
        telling = connection.loop.clock.schedule(after: Self.pause) { [weak self] in
            guard let self else { return }
            telling = nil
            // When it is live again this goes on.
            guard viewModel.isLive else { return }
            cards.tell()
            tellSoon()
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

/// Which of the two screens is shown.
private final class ScreenView: View {
    let output = Output<BookCreator.ViewEvent>()
    private(set) var name = BookCreator.Screen.name

    func handle(event: BookCreator.ViewModelEvent) {
        if case .screen(let name) = event { self.name = name }
    }
}
