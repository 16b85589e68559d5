public import BusdProtocol

/// `scoreboard/ID/plays`: the moves of a game, in their order.
public enum Plays: ViewModelKind {
    public static let name = "plays"

    /// What a player did.
    public enum Move: String, Codable, PlainJSON, Hashable, Sendable, CaseIterable {
        /// A basket of one point.
        case onePoint
        /// A basket of two points.
        case twoPoint
        /// A pass that led to a basket.
        case assist
        /// A rebound.
        case rebound
        /// A foul.
        case foul

        /// Compares byte by byte; see `Side`.
        public init?(rawValue: String) {
            let move = Self.allCases.first { $0.rawValue.isExactly(rawValue) }
            guard let move else { return nil }
            self = move
        }

        /// How many points the move gives.
        @inlinable public var points: Int {
            switch self {
            case .onePoint: 1
            case .twoPoint: 2
            case .assist, .rebound, .foul: 0
            }
        }

        /// Its place in `allCases`. Permanent: the log has it.
        @inlinable public var number: Int {
            switch self {
            case .onePoint: 0
            case .twoPoint: 1
            case .assist: 2
            case .rebound: 3
            case .foul: 4
            }
        }

        /// What was done: `2 points` of a player.
        public var phrase: String {
            switch self {
            case .onePoint: "1 point"
            case .twoPoint: "2 points"
            case .assist: "an assist"
            case .rebound: "a rebound"
            case .foul: "a foul"
            }
        }
    }

    /// A move in the list. `id` is stable; ids count from 1 and are never used again in a game.
    public struct Row: Codable, PlainJSON, Hashable, Sendable, Identifiable {
        public let id: String
        /// The team of the player.
        public let side: Side
        /// The place of the player in the team, so that a new name changes no row.
        public let index: PlayerIndex
        /// What the player did.
        public let move: Move
        /// The time of the game clock: `01:10.3`. A client that names a move may leave it out.
        public let time: String?

        /// Takes the values unchecked.
        public init(id: String, side: Side, index: PlayerIndex, move: Move, time: String? = nil) {
            (self.id, self.side, self.index, self.move, self.time) = (id, side, index, move, time)
        }
    }

    public enum ViewEvent: WireEvent {
        /// Takes out a move. `play` is its row as the scorer saw it; if it has changed, the event
        /// is refused with `stale`. It is refused with `badEvent`, too, if an earlier move would
        /// then win.
        case takeOut(play: Row)
        /// Gives a move to another player, or makes it another one; with the conditions of
        /// `takeOut`.
        case change(play: Row, side: Side, index: PlayerIndex, move: Move)

        public var canWait: Bool { true }

        public static let examples: [Self] = [
            .takeOut(play: exampleRow),
            .change(play: exampleRow, side: .home, index: .first, move: .foul),
        ]
    }

    public enum ViewModelEvent: BusyEvent {
        /// The whole list. Sent in a snapshot, and in place of edits that would be longer.
        case plays(plays: [Row])
        /// Changes of the list, for views that have it.
        case playsEdited(edits: [Edit<Row>])

        public var delivery: Delivery {
            switch self {
            case .plays: .latest
            case .playsEdited: .every
            }
        }

        public static let examples: [Self] = [
            .plays(plays: [exampleRow]),
            .playsEdited(edits: Edit.examples(exampleRow)),
        ]
    }

    static let exampleRow = Row(
        id: "1", side: .away, index: .first, move: .foul, time: "01:10.3")
}

extension Plays.ViewModelEvent: EditingEvent {
    public func edit(_ value: Self) -> Self? {
        guard case .playsEdited(let edits) = self, case .plays(var plays) = value,
            plays.apply(edits)
        else { return nil }
        return .plays(plays: plays)
    }
}

extension Plays.Row {
    /// A game may have 20,000 rows; reserving their bytes saves a fifth of the time of a snapshot.
    public var knownBytes: Int {
        43 + id.utf8.count + move.rawValue.utf8.count + (time.map { 10 + $0.utf8.count } ?? 0)
    }
}
