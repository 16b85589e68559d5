public import BusdGamesEvents
public import BusdProtocol

/// `scoreboard/ID/plays`: the moves of a game. Any of them can be corrected.
public final class PlaysViewModel: DurableViewModel {
    public typealias Kind = Plays
    public typealias Services = any HasGames & HasClock

    public static let placement = Placement.added

    public let output = Output<Plays.ViewModelEvent>()
    private let id: GameID
    private let games: Library<Game>
    private let clock: any Clock
    private var plays: [Play] = []
    private var rows: [Plays.Row] = []

    public init?(at address: Address, services: Services) {
        guard let id = GameID(playsAt: address), services.games.contains(id) else { return nil }
        self.id = id
        (games, clock) = (services.games, services.clock)
    }

    public var subject: Subject { games.subject(id) }

    /// Sends to the view models of a game are counted together.
    public static func thing(at address: Address) -> Address {
        GameID(ofPart: address)?.address ?? address
    }

    public func start() {
        guard let game = games[id] else { return }
        plays = game.list.plays
        rows = plays.map { Plays.Row($0) }
        output.send(.plays(plays: rows))
        games.follow(id, as: .part).bind(self) { $0.show($1) }
    }

    public func refusal(of event: Plays.ViewEvent) -> Refusal? {
        guard let action = action(of: event) else {
            return Refusal(
                .badEvent, "a row of the list has an id, a player and a move", at: "play.id")
        }
        return games.refusal(ofCorrecting: id, action, at: clock.now)
    }

    public func handle(event: Plays.ViewEvent) {
        if let action = action(of: event) { games.propose(action, to: id) }
    }

    private func action(of event: Plays.ViewEvent) -> GameAction? {
        switch event {
        case .takeOut(let row): row.id.number.map { .takeOut(id: $0, was: row.action) }
        case .change(let row, let side, let index, let move):
            row.id.number.map {
                .change(id: $0, was: row.action, to: Move(move, side: side, index: index))
            }
        }
    }

    deinit { games.unfollow(id) }

    // MARK: The list

    /// - Parameter game: `nil` if the game was deleted.
    private func show(_ game: Game?) {
        guard let game else { return }
        let newest = game.list.plays
        // Most changes are a new move: then the moves before it are not compared.
        let count = plays.count
        let isNewMove = newest.count == count + 1 && newest.dropLast().last == plays.last
        let edits: [Edit<Plays.Row>] =
            isNewMove
            ? [.insert(at: count, row: Plays.Row(newest[count]))]
            : [Edit](from: plays, to: newest) { Plays.Row($0) }
        plays = newest
        guard !edits.isEmpty else { return }
        // If the output held the rows, too, an edit would copy all of them.
        output.withdraw("plays")
        guard rows.apply(edits) else { return }
        output.send(.playsEdited(edits: edits), current: .plays(plays: rows))
    }
}

extension Plays.Row {
    fileprivate init(_ play: Play) {
        let player = play.move.player
        self.init(
            id: play.id.numeral, side: player.side, index: player.index, move: play.move.kind,
            time: timeText(tenths: play.time / 100_000))
    }

    fileprivate var action: Move { Move(move, side: side, index: index) }
}

extension Move {
    fileprivate init(_ kind: Kind, side: Side, index: PlayerIndex) {
        self.init(kind, by: PlayerID(side: side, index: index))
    }
}

extension String {
    /// An id as `Plays.Row` has it.
    fileprivate var number: Int? {
        guard let number = Int(self) else { return nil }  // fits: else nil
        return LogEntry.numbers.contains(number) ? number : nil
    }
}
