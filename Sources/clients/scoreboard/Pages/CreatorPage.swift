import BusdClient
import BusdGamesEvents
import BusdProtocol
import BusdScreens
import BusdTerminal

/// Creates a game. The view model reports problems with the names, and when they are complete.
final class CreatorPage: Page {
    private weak var host: (any PageHost<Step>)?
    private let viewModel: RemoteViewModel<GameCreator>
    private let view = CreatorView()
    private let sharedAs: String?

    init(_ draft: Draft, _ connection: BusConnection, on host: any PageHost<Step>) {
        self.host = host
        sharedAs = draft.isShared ? draft.address.name : nil
        viewModel = RemoteViewModel(connection, at: draft.address, as: "creator")
        viewModel.report(to: host)
        viewModel.onLiveChanged = { [weak self] in self?.liveChanged($0) }
        viewModel.onRefused = { [weak self] in self?.notDone("refused: \($0.message)") }
        viewModel.onUnanswered = { [weak self] in self?.notDone($0.withoutAnswer) }
        view.onCreated = { [weak host] in host?.go(.open($0)) }
        view.bind(with: viewModel)
    }

    private func liveChanged(_ isLive: Bool) {
        view.liveChanged(isLive)
        host?.changed()
    }

    private func notDone(_ notice: String) {
        view.forgetSent()
        host?.showNotice(notice)
    }

    // MARK: Keys

    func press(_ key: Key) {
        // Pasted names, one per line, fill one field after the other.
        if case .paste(let text) = key { return Key.typing(text).forEach(press) }
        switch CreatorCommand(key) {
        case .nextField: view.moveFocus(by: 1)
        case .previousField: view.moveFocus(by: -1)
        case .confirm: if view.state.canCreate { view.create() } else { view.moveFocus(by: 1) }
        case .back: host?.go(.back)
        case .edit(let key): view.edit(key)
        }
        host?.changed()
    }

    func touch(_ touch: Touch) {
        guard case .field(let index) = touch else { return }
        view.focus(on: index)
        host?.changed()
    }

    // MARK: Drawing

    var minimum: Size { CreatorPicture.minimum(size: view.state.size) }

    var hints: [Hint] {
        CreatorHints.all(canCreate: view.state.canCreate, focus: view.state.focus)
    }

    func draw(on picture: inout Picture, in area: Area) {
        CreatorPicture(state: view.state, sharedAs: sharedAs).draw(on: &picture, in: area)
    }
}

/// The game creator that is used.
struct Draft: Equatable {
    let address: Address
    /// Other terminals may use the draft too, because the user has named it.
    let isShared: Bool
}
