import BusdClient
import BusdGamesEvents
import BusdProtocol
import BusdScreens

/// The views of one game, bound to its view models. All pages of the game share them.
final class GameViews {
    let address: Address
    let connection: BusConnection
    let container = ContainerView()
    let content: ContentView
    let scorekeepers: Scorekeepers
    let plays = PlaysView()
    let viewModel: RemoteViewModel<Scoreboard>
    /// Nil if the address has no room for one more segment.
    let playsModel: RemoteViewModel<Plays>?
    /// A player's view model has answered an event.
    var onMoveAnswered: (() -> Void)?

    /// - Parameter name: the name of the main view in `bus/views`.
    init(
        _ address: Address, _ connection: BusConnection, as name: String,
        _ users: UserNames = UserNames(isLocal: true), on host: any PageHost<Step>
    ) {
        (self.address, self.connection) = (address, connection)
        viewModel = RemoteViewModel(connection, at: address, as: name)
        playsModel = address.appending("plays").map {
            RemoteViewModel(connection, at: $0, as: "plays")
        }
        scorekeepers = Scorekeepers(of: address, connection, users)
        let relay = Relay()
        content = ContentView { [weak host] player in
            let viewModel = RemoteViewModel<Player>(connection, at: player, as: "player")
            viewModel.report(to: host)
            viewModel.onAnswered = { _ in relay.game?.onMoveAnswered?() }
            return viewModel
        }
        relay.game = self
        viewModel.report(to: host)
        playsModel?.report(to: host)
        // A policy may not show the plays.
        playsModel?.onRefused = { [weak self, weak host] error in
            guard self?.plays.state.all.isKnown == true else { return }
            host?.showNotice("refused: \(error.message)")
        }
        container.bind(with: viewModel)
    }

    /// Players' view models are created by `content`, which is created before `self` can be
    /// captured.
    private final class Relay {
        weak var game: GameViews?
    }

    private var hasParts = false

    /// Binds the views of the players and of the plays.
    func showParts() {
        guard !hasParts else { return }
        hasParts = true
        content.bind(with: viewModel)
        if let playsModel { plays.bind(with: playsModel) }
    }

    /// The plays with the text of the search.
    var playsState: PlaysState {
        plays.state.find(content.state)
        return plays.state
    }
}
