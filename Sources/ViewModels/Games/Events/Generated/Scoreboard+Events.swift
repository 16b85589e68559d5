// Generated from Scoreboard.swift by scripts/event-code.sh.
// To change it, change that file and run the script.

public import BusdProtocol

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
            case .teams(let home, let away): out.member("home", home) && out.member("away", away)
            case .players(let home, let away): out.member("home", home) && out.member("away", away)
            case .score(let home, let away, let text):
                out.member("home", home) && out.member("away", away) && out.member("text", text)
            case .time(let text), .corrected(let text): out.member("text", text)
            case .paused(let isPaused): out.member("isPaused", isPaused)
            case .finished(let isFinished, let winner):
                out.member("isFinished", isFinished) && out.member("winner", winner)
            case .undoable(let canUndo, let moves, let text):
                out.member("canUndo", canUndo) && out.member("moves", moves)
                    && out.member("text", text)
            case .redoable(let canRedo, let text):
                out.member("canRedo", canRedo) && out.member("text", text)
            case .clock(let setting, let stopped):
                out.member("setting", setting) && out.member("stopped", stopped)
            }
        }
    }
}
