public import BusdGamesEvents
public import BusdProtocol

/// `scoreboard/ID/home/N` and `…/away/N`: one player, for the content view.
public final class PlayerViewModel: DurableViewModel {
    public typealias Kind = Player
    public typealias Services = any HasGames

    public static let placement = Placement.added

    public let output = Output<Player.ViewModelEvent>()
    private let id: GameID
    private let player: PlayerID
    private let games: Library<Game>
    private var name: Name?
    /// The shown counts, by kind. A move changes only one count of one player.
    private var counts = InlineArray<5, Int?>(repeating: nil)
    /// The sum of the shown counts.
    private var moves = 0
    private var isFinished = false

    public init?(at address: Address, services: Services) {
        guard let (id, player) = PlayerID.find(at: address),
            let summary = services.games.summary(of: id),
            player.index.value < summary.teamSize
        else { return nil }
        self.id = id
        self.player = player
        games = services.games
    }

    public var subject: Subject { games.subject(id) }

    /// Sends to the scoreboard of a game and to its players are counted together.
    public static func thing(at address: Address) -> Address {
        GameID(ofPart: address)?.address ?? address
    }

    public func start() {
        guard let game = games[id] else { return }
        games.follow(id, as: .part).bind(self) { $0.show($1) }
        show(game)
    }

    /// Every event is a move. A move in a finished game has no effect, so no limit refuses it.
    public func refusal(of event: Player.ViewEvent) -> Refusal? {
        guard !isFinished else { return nil }
        guard moves + games.expectedGrowth(of: id).moves < Player.mostMoves else {
            return .overloaded(
                "a player has at most \(Player.mostMoves) moves in a game",
                limit: Player.movesOfPlayer)
        }
        return games.refusal(of: .move)
    }

    public func handle(event: Player.ViewEvent) {
        switch event {
        case .onePointMove: play(.onePoint)
        case .twoPointMove: play(.twoPoint)
        case .assistMove: play(.assist)
        case .reboundMove: play(.rebound)
        case .foulMove: play(.foul)
        }
    }

    deinit { games.unfollow(id) }

    private func play(_ kind: Move.Kind) {
        games.propose(.move(Move(kind, by: player)), to: id)
    }

    /// - Parameter game: `nil` if the game was deleted.
    private func show(_ game: Game?) {
        guard let game else { return }
        isFinished = game.isFinished
        if let newest = game.teams[player], newest != name {
            name = newest
            output.send(.name(text: newest.text))
        }
        for (place, kind) in Move.kinds.enumerated() {
            let count = game.list.count(of: Move(kind, by: player))
            guard count != counts[place] else { continue }
            moves += count - (counts[place] ?? 0)
            counts[place] = count
            output.send(event(kind, count))
        }
    }

    private func event(_ kind: Move.Kind, _ count: Int) -> Player.ViewModelEvent {
        let text = count.numeral
        return switch kind {
        case .onePoint: .onePointMoveCount(text: text, count: count)
        case .twoPoint: .twoPointMoveCount(text: text, count: count)
        case .assist: .assistMoveCount(text: text, count: count)
        case .rebound: .reboundMoveCount(text: text, count: count)
        case .foul: .foulMoveCount(text: text, count: count)
        }
    }
}
