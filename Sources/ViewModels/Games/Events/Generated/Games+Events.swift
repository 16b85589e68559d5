// Generated from Games.swift by scripts/event-code.sh.
// To change it, change that file and run the script.

public import BusdProtocol

extension Games.Row.Content {
    func write(to out: inout JSONWriter) {
        out.plainObject { out in
            out.member("id", id) && out.member("address", address) && out.member("home", home)
                && out.member("away", away) && out.member("score", score)
                && out.member("status", status) && out.member("created", created)
                && out.member("isDeleted", isDeleted)
        }
    }
}

extension Games.ViewModelEvent {
    public var name: String {
        switch self {
        case .games: "games"
        case .gamesEdited: "gamesEdited"
        case .created: "created"
        }
    }

    public func writePlainly(to out: inout JSONWriter) -> Bool {
        out.plainEvent(name) { out in
            switch self {
            case .games(let games): out.member("games", games)
            case .gamesEdited(let edits): out.member("edits", edits)
            case .created(let game, let address):
                out.member("game", game) && out.member("address", address)
            }
        }
    }
}
