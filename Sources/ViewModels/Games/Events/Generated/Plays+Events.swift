// Generated from Plays.swift by scripts/event-code.sh.
// To change it, change that file and run the script.

public import BusdProtocol

extension Plays.Row {
    public func write(to out: inout JSONWriter) {
        out.plainObject { out in
            out.member("id", id) && out.member("side", side) && out.member("index", index)
                && out.member("move", move) && out.member("time", time)
        }
    }
}

extension Plays.ViewModelEvent {
    public var name: String {
        switch self {
        case .plays: "plays"
        case .playsEdited: "playsEdited"
        }
    }

    public func writePlainly(to out: inout JSONWriter) -> Bool {
        out.plainEvent(name) { out in
            switch self {
            case .plays(let plays): out.member("plays", plays)
            case .playsEdited(let edits): out.member("edits", edits)
            }
        }
    }
}
