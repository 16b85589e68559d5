import BusdClient
import BusdGamesEvents
import BusdProtocol

/// The state of the content view.
struct ContentState: Equatable {
    struct TeamState: Equatable {
        var name = ""
        var players: [PlayerState] = []
    }

    var home = TeamState()
    var away = TeamState()
    /// The game is over, so the fouls of each team are shown.
    var isFinished = false

    /// How many players each team has.
    var size: Int {
        let known = max(home.players.count, away.players.count)
        return known == 0 ? Team.usualSize : known
    }

    /// The name of a player; a number if it is not known.
    func name(_ player: PlayerChoice) -> String {
        let players = self[player.side].players
        guard players.indices.contains(player.index) else { return "\(player.index + 1)" }
        return players[player.index].name
    }

    /// The fouls of all players of a team.
    func fouls(_ side: Side) -> Int { self[side].players.reduce(0) { $0 + $1[.foul].count } }

    subscript(side: Side) -> TeamState {
        get { side == .home ? home : away }
        set { if side == .home { home = newValue } else { away = newValue } }
    }
}

/// The players. The view binds to the scoreboard, which has the addresses of the players, and
/// creates a view for each player.
final class ContentView: View {
    let output = Output<Scoreboard.ViewEvent>()
    private let viewModel: (Address) -> RemoteViewModel<Player>
    private var names: [Side: String] = [:]
    private var players: [Side: [Bound]] = [:]
    private var isFinished = false

    private struct Bound {
        let view: PlayerView
        let viewModel: RemoteViewModel<Player>
    }

    /// - Parameter viewModel: creates the view model at an address, not bound yet.
    init(viewModel: @escaping (Address) -> RemoteViewModel<Player>) { self.viewModel = viewModel }

    func handle(event: Scoreboard.ViewModelEvent) {
        switch event {
        case .teams(let home, let away): names = [.home: home, .away: away]
        case .players(let home, let away):
            show(home, .home)
            show(away, .away)
        case .finished(let isFinished, _): self.isFinished = isFinished
        case .score, .time, .paused, .undoable, .redoable, .clock, .corrected: break
        }
    }

    func view(of player: PlayerChoice) -> PlayerView? {
        guard let team = players[player.side], team.indices.contains(player.index) else {
            return nil
        }
        return team[player.index].view
    }

    /// All players are known, and their changes arrive at once.
    var isLive: Bool {
        let bound = players.values.joined()
        return !bound.isEmpty && bound.allSatisfy(\.viewModel.isLive)
    }

    var state: ContentState {
        var state = ContentState()
        state.isFinished = isFinished
        for side in Side.allCases {
            state[side].name = names[side] ?? ""
            state[side].players = players[side]?.map(\.view.state) ?? []
        }
        return state
    }

    private func show(_ texts: [String], _ side: Side) {
        let addresses = texts.prefix(Team.sizes.upperBound).compactMap { Address($0) }
        guard addresses != players[side]?.map(\.viewModel.address) else { return }
        players[side] = addresses.map { address in
            let bound = Bound(view: PlayerView(), viewModel: viewModel(address))
            bound.view.bind(with: bound.viewModel)
            return bound
        }
    }
}
