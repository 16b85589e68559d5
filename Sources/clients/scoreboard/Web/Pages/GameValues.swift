import BusdGamesEvents
import BusdProtocol

/// The values of a game that a page shows. A value that has not arrived is nil, or left out: an
/// event that the page does not know changes nothing.
struct GameValues {
    struct Player {
        let address: Address
        var name: String?
        /// The counts of moves, by the event's name without `MoveCount`.
        var onePoint: Int?
        var twoPoint: Int?
        var assist: Int?
        var rebound: Int?
        var foul: Int?

        init(at address: Address) { self.address = address }

        /// Points by this player.
        var points: Int? {
            guard let onePoint, let twoPoint else { return nil }
            return onePoint &+ 2 &* twoPoint
        }
    }

    struct Team {
        var name: String?
        var points: Int?
        /// The addresses of the players, in the order of the bench.
        fileprivate var bench: [Address] = []
    }

    /// `scoreboard/1`
    let address: Address
    var home = Team()
    var away = Team()
    var time: String?
    var isPaused: Bool?
    var isFinished = false
    var winner: Side?
    /// What undo takes back: `2 points of Ed`.
    var undoText: String?
    /// How many moves undo can take back.
    var moves: Int?
    private var players: [Address: Player] = [:]

    /// No value is known yet.
    init(at address: Address) { self.address = address }

    mutating func apply(_ events: [JSONValue], from: Address) {
        for event in events { apply(event, from: from) }
    }

    /// The addresses of all players.
    var bench: [Address] { home.bench + away.bench }

    subscript(side: Side) -> Team {
        get { side == .home ? home : away }
        set { if side == .home { home = newValue } else { away = newValue } }
    }

    /// The players of a team, in the order of the bench.
    func players(_ side: Side) -> [Player] {
        self[side].bench.map { players[$0] ?? Player(at: $0) }
    }

    /// Applies one event: an object with one key, the event's name.
    mutating func apply(_ event: JSONValue, from: Address) {
        guard let (key, value) = event.onlyMember, let name = key.text else { return }
        if from == address {
            applyToGame(name, value)
        } else {
            players[from, default: Player(at: from)].apply(name, value)
        }
    }

    private mutating func applyToGame(_ name: String, _ value: JSONValue) {
        switch name {
        case "teams": forEachSide { $0.name = value[$1]?.text }
        case "score": forEachSide { $0.points = value[$1]?.integer }
        case "players":
            forEachSide { team, side in
                team.bench =
                    (value[side]?.elements).map { $0.compactMap(\.text) }?
                    .compactMap { Address($0) } ?? []
            }
        case "time": time = value["text"]?.text
        case "paused": isPaused = value["isPaused"]?.boolean
        case "finished":
            isFinished = value["isFinished"]?.boolean ?? false
            winner = value["winner"]?.text.flatMap { Side(rawValue: $0) }
        case "undoable":
            undoText = value["text"]?.text
            moves = value["moves"]?.integer
        default: break
        }
    }

    private mutating func forEachSide(_ change: (inout Team, String) -> Void) {
        for side in Side.allCases { change(&self[side], side.rawValue) }
    }
}

extension GameValues.Player {
    fileprivate mutating func apply(_ name: String, _ value: JSONValue) {
        switch name {
        case "name": self.name = value["text"]?.text
        case "onePointMoveCount": onePoint = value["count"]?.integer
        case "twoPointMoveCount": twoPoint = value["count"]?.integer
        case "assistMoveCount": assist = value["count"]?.integer
        case "reboundMoveCount": rebound = value["count"]?.integer
        case "foulMoveCount": foul = value["count"]?.integer
        default: break
        }
    }
}

// MARK: What a page says

extension GameValues {
    enum State: String {
        case running
        case paused
        case final
    }

    /// Nil: not known.
    var state: State? {
        if isFinished { return .final }
        return isPaused.map { $0 ? .paused : .running }
    }

    /// The most digits of a team's points, at least 2, so that the tenth point changes no size.
    var digits: Int {
        max(2, Side.allCases.map { String(self[$0].points ?? 0).count }.max() ?? 0)
    }

    /// `Hawks 12 - 9 Jets`
    var title: String {
        guard let homePoints = home.points, let awayPoints = away.points else {
            return "\(name(.home)) - \(name(.away))"
        }
        return "\(name(.home)) \(homePoints) - \(awayPoints) \(name(.away))"
    }

    /// The sentence that a screen reader says: `Hawks 12, Jets 9`.
    var sentence: String? {
        guard let homePoints = home.points, let awayPoints = away.points else { return nil }
        let score = "\(name(.home)) \(homePoints), \(name(.away)) \(awayPoints)"
        return isFinished ? "\(score), final" : score
    }

    private func name(_ side: Side) -> String {
        self[side].name ?? (side == .home ? "Home" : "Away")
    }
}
