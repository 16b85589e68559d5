import BusdClient
import BusdProtocol
import BusdScreens
import BusdTerminal

/// Which views of a game are shown.
enum GameParts: String, CaseIterable {
    case container
    case content
    case both
}

/// A game: the container view, the content view, or the content view inside the container view.
final class GamePage: Page {
    private let parts: GameParts
    private weak var host: (any PageHost<Step>)?
    private let viewModel: RemoteViewModel<Scoreboard>
    private let container = ContainerView()
    private let content: ContentView
    private var choice = PlayerChoice()

    init(
        _ address: Address, _ connection: BusConnection, _ parts: GameParts,
        on host: any PageHost<Step>
    ) {
        self.parts = parts
        self.host = host
        let name = parts == .both ? "scoreboard" : parts.rawValue
        viewModel = RemoteViewModel(connection, at: address, as: name)
        content = ContentView { [weak host] player in
            let viewModel = RemoteViewModel<Player>(connection, at: player, as: "player")
            viewModel.report(to: host)
            return viewModel
        }
        viewModel.report(to: host)
        viewModel.onAnswered = { [weak container] in container?.answered($0) }
        viewModel.onUnanswered = { [weak container, weak host] in
            container?.answered($0)
            host?.showNotice($0.withoutAnswer)
        }
        viewModel.onGone = { [weak host] in host?.go(.gone) }
        viewModel.onRefused = { [weak self] in self?.refused($0) }
        container.bind(with: viewModel)
        if parts != .container { content.bind(with: viewModel) }
    }

    private var state: ContainerState {
        var state = container.state
        if !viewModel.isLive { state.waiting = container.unanswered }
        return state
    }

    private func refused(_ error: WireError) {
        if container.state.isKnown {
            host?.showNotice("refused: \(error.message)")
        } else {
            host?.go(.refused(error))
        }
    }

    // MARK: Keys

    func press(_ key: Key) {
        let command = GameCommand(key, chosen: choice, size: content.state.size)
        guard let command else { return }
        switch command {
        case .choose(let choice): choose(choice)
        case .make(let move): if parts != .container { content.view(of: choice)?.make(move) }
        case .startOrPause:
            container.startOrPause()
            host?.changed()
        case .undo: container.undo()
        case .games: host?.go(.games)
        case .create: host?.go(.create)
        case .help: host?.go(.help)
        case .back: host?.go(.back)
        case .quit: host?.go(.quit)
        }
    }

    func touch(_ touch: Touch) {
        if case .field(let number) = touch,
            let choice = PlayerChoice(number: number, size: content.state.size)
        {
            choose(choice)
        }
    }

    private func choose(_ choice: PlayerChoice) {
        self.choice = choice
        host?.changed()
    }

    // MARK: Drawing

    var minimum: Size {
        switch parts {
        case .container: ContainerPicture.minimum
        case .content: ContentPicture.minimum
        case .both: Size(columns: 40, rows: 11)
        }
    }

    var summary: String { container.state.isKnown ? state.line : "" }

    var hints: [Hint] { container.state.isKnown ? GameHints.all(container.state) : [] }

    func draw(on picture: inout Picture, in area: Area) {
        guard container.state.isKnown else {
            let row = area.rows / 2
            return picture.frame.write(
                "Waiting for \(viewModel.address)…", in: area, row: row, .center, .dim)
        }
        GamePicture(
            parts: parts, container: state, content: content.state, choice: choice
        ).draw(on: &picture, in: area)
    }
}
