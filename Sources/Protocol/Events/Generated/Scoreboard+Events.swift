// Generated from Scoreboard.swift by scripts/event-code.sh.
// To change it, change that file and run the script.

extension Scoreboard.ViewEvent {
    public var name: String {
        switch self {
        case .pause: "pause"
        case .resume: "resume"
        case .togglePause: "togglePause"
        case .undo: "undo"
        }
    }

    public init(plainly json: JSONValue) throws(NotPlain) {
        let json = try PlainReader(json)
        switch json.name {
        case "pause": self = .pause
        case "resume": self = .resume
        case "togglePause": self = .togglePause
        case "undo": self = .undo
        default: throw NotPlain()
        }
        try json.end()
    }
}

extension Scoreboard.ViewModelEvent {
    public var name: String {
        switch self {
        case .teams: "teams"
        case .players: "players"
        case .score: "score"
        case .time: "time"
        case .paused: "paused"
        case .finished: "finished"
        case .undoable: "undoable"
        }
    }

    public func writePlainly(to out: inout JSONWriter) -> Bool {
        out.plainEvent(name) { out in
            switch self {
            case .teams(let home, let away):
                out.member("home", home)
                out.member("away", away)
            case .players(let home, let away):
                out.member("home", home)
                out.member("away", away)
            case .score(let home, let away, let text):
                out.member("home", home)
                out.member("away", away)
                out.member("text", text)
            case .time(let text): out.member("text", text)
            case .paused(let isPaused): out.member("isPaused", isPaused)
            case .finished(let isFinished, let winner):
                out.member("isFinished", isFinished)
                if let winner { out.member("winner", winner) }
            case .undoable(let canUndo): out.member("canUndo", canUndo)
            }
        }
    }
}
