public import BusdProtocol

/// `scoreboard/ID`: a game, as the container view shows it.
public enum Scoreboard: ViewModelKind {
    public static let name = "scoreboard"
    public static let limits = [Games.gamesRunning]

    public enum ViewEvent: WireEvent {
        /// Stops the clock. No effect if it is stopped.
        case pause
        /// Starts the clock. No effect if it runs.
        case resume
        /// Stops the clock if it runs, else starts it.
        case togglePause
        /// Takes back the last move, also the winning one. `moves` is the number of moves that the
        /// scorer saw; if the game has another number, the event is refused with `stale`.
        case undo(moves: Int? = nil)
        /// Does again the move that was taken back last. A new move or a correction ends this.
        case redo(moves: Int? = nil)
        /// Renames a team. If its name is not `was`, the event is refused with `stale`.
        case renameTeam(side: Side, name: Name, was: Name)
        /// Renames a player. If the name is not `was`, the event is refused with `stale`.
        case renamePlayer(side: Side, index: PlayerIndex, name: Name, was: Name)
        /// Sets the clock to a time such as `01:10.3`, and starts it if `starts` is true. `setting`
        /// is that of the event `clock`; if there is a newer one, the event is refused with
        /// `stale`.
        case setClock(time: String, starts: Bool? = nil, setting: Int? = nil)
        /// Moves the clock by so many seconds, back if they are negative; never below zero.
        case moveClock(seconds: Int, setting: Int? = nil)

        public static let examples: [Self] = [
            .pause, .resume, .togglePause, .undo(moves: 7), .redo(moves: 6),
            .renameTeam(side: .home, name: .literal("Eagles"), was: .literal("Hawks")),
            .renamePlayer(
                side: .home, index: .first, name: .literal("Anne"), was: .literal("Ann")),
            .setClock(time: "01:10.3", starts: true, setting: 0),
            .moveClock(seconds: -10, setting: 0),
        ]

        public var canWait: Bool {
            switch self {
            case .pause, .resume, .renameTeam, .renamePlayer: true
            case .undo(let moves), .redo(let moves): moves != nil
            case .togglePause, .setClock, .moveClock: false
            }
        }
    }

    public enum ViewModelEvent: BusyEvent {
        /// The names of both teams.
        case teams(home: String, away: String)
        /// The addresses of the players' view models, one to five per team.
        case players(home: [String], away: [String])
        /// The points of both teams, and both together for display: `3 - 2`.
        case score(home: Int, away: Int, text: String)
        /// Minutes, seconds and tenths played: `01:10.3`.
        case time(text: String)
        /// Whether the clock stands still, also in a finished game.
        case paused(isPaused: Bool)
        /// Whether a team has won, and which one.
        case finished(isFinished: Bool, winner: Side?)
        /// Whether there is a move to take back; the number of moves, for `undo`; and what it would
        /// take back: `2 points of Ed`.
        case undoable(canUndo: Bool, moves: Int? = nil, text: String? = nil)
        /// Whether a move that was taken back can be done again, and which one.
        case redoable(canRedo: Bool, text: String? = nil)
        /// How often the clock was set, for a correction of it. If a restart of the daemon stopped
        /// it: when, in seconds since 1970 (UTC).
        case clock(setting: Int, stopped: Int? = nil)
        /// A move was taken back or done again: `took back 2 points of Ed`.
        case corrected(text: String)

        public var delivery: Delivery {
            switch self {
            case .teams, .players, .score, .time, .paused, .finished, .undoable, .redoable, .clock:
                .latest
            case .corrected: .every
            }
        }

        public static let examples: [Self] = [
            .teams(home: "Hawks", away: "Jets"),
            .players(
                home: (1...Team.usualSize).map { "scoreboard/1/home/\($0)" },
                away: (1...Team.usualSize).map { "scoreboard/1/away/\($0)" }),
            .score(home: 3, away: 2, text: "3 - 2"),
            .time(text: "01:10.3"),
            .paused(isPaused: true),
            .finished(isFinished: true, winner: .home),
            .undoable(canUndo: true, moves: 7, text: "2 points of Ed"),
            .redoable(canRedo: true, text: "a foul of Bo"),
            .clock(setting: 1, stopped: 1_767_225_600),
            .corrected(text: "took back 2 points of Ed"),
        ]
    }
}
