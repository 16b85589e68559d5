// Generated from Scoreboard.swift by scripts/event-code.sh.
// To change it, change that file and run the script.

extension Scoreboard.ViewEvent {
    public var name: String {
        switch self {
        case .pause: "pause"
        case .resume: "resume"
        case .togglePause: "togglePause"
        case .undo: "undo"
        case .redo: "redo"
        case .renameTeam: "renameTeam"
        case .renamePlayer: "renamePlayer"
        case .setClock: "setClock"
        case .moveClock: "moveClock"
        }
    }

    public init(plainly json: JSONValue) throws(NotPlain) {
        var json = try PlainReader(json)
        switch json.name {
        case "pause": self = .pause
        case "resume": self = .resume
        case "togglePause": self = .togglePause
        case "undo": self = try .undo(moves: json.optionalMember("moves"))
        case "redo": self = try .redo(moves: json.optionalMember("moves"))
        case "renameTeam":
            self = try .renameTeam(
                side: json.member("side"), name: json.member("name"), was: json.member("was"))
        case "renamePlayer":
            self = try .renamePlayer(
                side: json.member("side"), index: json.member("index"), name: json.member("name"),
                was: json.member("was"))
        case "setClock":
            self = try .setClock(
                time: json.member("time"), starts: json.optionalMember("starts"),
                setting: json.optionalMember("setting"))
        case "moveClock":
            self = try .moveClock(
                seconds: json.member("seconds"), setting: json.optionalMember("setting"))
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
        case .redoable: "redoable"
        case .clock: "clock"
        case .corrected: "corrected"
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
            case .undoable(let canUndo, let moves, let text):
                out.member("canUndo", canUndo)
                if let moves { out.member("moves", moves) }
                if let text { out.member("text", text) }
            case .redoable(let canRedo, let text):
                out.member("canRedo", canRedo)
                if let text { out.member("text", text) }
            case .clock(let setting, let stopped):
                out.member("setting", setting)
                if let stopped { out.member("stopped", stopped) }
            case .corrected(let text): out.member("text", text)
            }
        }
    }
}
