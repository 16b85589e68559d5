public import BusdProtocol

/// Something happened in the library of games.
public enum GamesChange: Equatable, Sendable {
    case created(GameID, Game)
    case changed(GameID, Game)
    case deleted(GameID)
    /// It was created, and could not be kept: it has never been.
    case withdrawn(GameID)
    /// It was deleted, and that could not be kept: it has always been there.
    case restored(GameID, Game)
}

/// Who hears of a change, and in which order: the players of the game, its scoreboard, then whoever
/// shows the library. So a screen that draws event by event counts the move before it shows the
/// score.
///
/// A change that is made while another is being told waits its turn: all hear all changes in one
/// order.
public final class GamesFeed {
    /// Those who hear of one game.
    public final class Followers {
        public let players: Signal<Game>
        /// Hears `nil` when the game has been deleted.
        public let scoreboard: Signal<Game?>
        fileprivate let tellPlayers: Signal<Game>.Observer
        fileprivate let tellScoreboard: Signal<Game?>.Observer

        fileprivate init() {
            (players, tellPlayers) = Signal.pipe()
            (scoreboard, tellScoreboard) = Signal.pipe()
        }
    }

    public let library: Signal<GamesChange>
    private let tellLibrary: Signal<GamesChange>.Observer
    private var followers: [GameID: Followers] = [:]
    private var queue = SerialQueue<GamesChange>()

    public init() { (library, tellLibrary) = Signal.pipe() }

    public func followers(of id: GameID) -> Followers {
        let known = followers[id] ?? Followers()
        followers[id] = known
        return known
    }

    /// Somebody who followed the game is gone.
    public func left(_ id: GameID) {
        guard let known = followers[id], !known.players.isHeard, !known.scoreboard.isHeard else {
            return
        }
        followers[id] = nil
    }

    /// For the service alone, after each change.
    public func tell(_ change: GamesChange) {
        guard queue.begin(change) != nil else { return }
        tellAll(change)
        while !queue.end() { tellAll(queue.next().value) }
    }

    /// For the service alone: what is returned tells the game to those alone who begin to follow it
    /// while `make` runs. Others know more of it already.
    package func newcomers(to id: GameID, _ make: () -> Void) -> (Game) -> Void {
        let known = followers(of: id)
        var players = known.tellPlayers
        let scoreboard = known.tellScoreboard.apart { players = players.apart(make) }
        left(id)
        return { [players] game in
            players.send(value: game)
            scoreboard.send(value: game)
        }
    }

    private func tellAll(_ change: GamesChange) {
        tellFollowers(change)
        tellLibrary.send(value: change)
    }

    private func tellFollowers(_ change: GamesChange) {
        switch change {
        case .created, .restored: break
        case .changed(let id, let game):
            guard let known = followers[id] else { return }
            known.tellPlayers.send(value: game)
            known.tellScoreboard.send(value: game)
        case .deleted(let id), .withdrawn(let id):
            followers.removeValue(forKey: id)?.tellScoreboard.send(value: nil)
        }
    }
}
