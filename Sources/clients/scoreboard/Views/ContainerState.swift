import BusdGamesEvents
import BusdProtocol

/// The state of the container view.
struct ContainerState: Equatable {
    var home = ""
    var away = ""
    var homeScore = 0
    var awayScore = 0
    /// `3 - 2`; empty until the view model has sent it.
    var score = ""
    var time = ""
    var isPaused = true
    var isFinished = false
    var winner: Side?
    var canUndo = false
    /// How many moves the game has; nil before the view model has sent it.
    var moves: Int?
    /// What undo would take back.
    var last: String?
    var canRedo = false
    /// What redo would do again.
    var undone: String?
    /// How often the clock was set.
    var setting = 0
    /// When a restart of the daemon stopped the clock, in seconds since 1970 (UTC).
    var stopped: Int?
    /// The newest `pause` or `resume` without an answer, while there is no connection.
    var waiting: Scoreboard.ViewEvent?

    /// False before the view model has sent the score.
    var isKnown: Bool { !score.isEmpty }

    /// A restart of the daemon has stopped the clock, and it has not run since.
    var wasStopped: Bool { stopped != nil && isPaused && !isFinished }

    mutating func apply(_ event: Scoreboard.ViewModelEvent) {
        switch event {
        case .teams(let home, let away): (self.home, self.away) = (home, away)
        case .players: break
        case .score(let home, let away, let text):
            (homeScore, awayScore, score) = (home, away, text)
        case .time(let text): time = text
        case .paused(let isPaused): self.isPaused = isPaused
        case .finished(let isFinished, let winner):
            (self.isFinished, self.winner) = (isFinished, winner)
        case .undoable(let canUndo, let moves, let text):
            (self.canUndo, self.moves, last) = (canUndo, moves, text)
        case .redoable(let canRedo, let text): (self.canRedo, undone) = (canRedo, text)
        case .clock(let setting, let stopped): (self.setting, self.stopped) = (setting, stopped)
        case .corrected: break
        }
    }

    func name(_ side: Side) -> String { side == .home ? home : away }

    func points(_ side: Side) -> Int { side == .home ? homeScore : awayScore }

    /// The state of the game in a word or two.
    var status: String {
        if let winner { return "\(name(winner)) win" }
        if isFinished { return "finished" }
        if let waiting { return "\(waiting == .pause ? "pause" : "start") will be sent" }
        return isPaused ? "paused" : "running"
    }

    /// `Hawks 3 - 2 Jets  01:10.3  paused`
    var line: String { "\(home) \(score) \(away)  \(time)  \(status)" }
}
