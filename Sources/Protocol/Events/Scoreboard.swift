/// `scoreboard/ID`: a game, as the container view shows it.
public enum Scoreboard: ViewModelKind {
    public static let name = "scoreboard"
    public static let limits: KeyValuePairs = ["gamesRunning": Games.mostRunning]

    public enum ViewEvent: BusyEvent {
        /// Stops the clock. No effect if it is stopped.
        case pause
        /// Starts the clock. No effect if it runs.
        case resume
        /// Stops the clock if it runs, else starts it.
        case togglePause
        /// Takes back the last move, also the winning one.
        case undo

        public static let examples: [Self] = [.pause, .resume, .togglePause, .undo]

        public var canWait: Bool {
            switch self {
            case .pause, .resume: true
            case .togglePause, .undo: false
            }
        }
    }

    public enum ViewModelEvent: BusyEvent {
        /// The names of both teams.
        case teams(home: String, away: String)
        /// The addresses of the players' view models, three per team.
        case players(home: [String], away: [String])
        /// The points of both teams, and both together for display: `3 - 2`.
        case score(home: Int, away: Int, text: String)
        /// Minutes, seconds and tenths played: `01:10.3`.
        case time(text: String)
        /// Whether the clock stands still, also in a finished game.
        case paused(isPaused: Bool)
        /// Whether a team has won, and which one.
        case finished(isFinished: Bool, winner: Side?)
        /// Whether there is a move to take back.
        case undoable(canUndo: Bool)

        public var delivery: Delivery { .latest }

        public static let examples: [Self] = [
            .teams(home: "Hawks", away: "Jets"),
            .players(
                home: (1...Team.size).map { "scoreboard/1/home/\($0)" },
                away: (1...Team.size).map { "scoreboard/1/away/\($0)" }),
            .score(home: 3, away: 2, text: "3 - 2"),
            .time(text: "01:10.3"),
            .paused(isPaused: true),
            .finished(isFinished: true, winner: .home),
            .undoable(canUndo: false),
        ]
    }
}
