// Generated from Player.swift by scripts/event-code.sh.
// To change it, change that file and run the script.

public import BusdProtocol

extension Player.ViewEvent {
    public init(plainly json: JSONValue) throws(NotPlain) {
        let json = try PlainReader(json)
        switch json.name {
        case "onePointMove": self = .onePointMove
        case "twoPointMove": self = .twoPointMove
        case "assistMove": self = .assistMove
        case "reboundMove": self = .reboundMove
        case "foulMove": self = .foulMove
        default: throw NotPlain()
        }
        try json.end()
    }
}

extension Player.ViewModelEvent {
    public var name: String {
        switch self {
        case .name: "name"
        case .onePointMoveCount: "onePointMoveCount"
        case .twoPointMoveCount: "twoPointMoveCount"
        case .assistMoveCount: "assistMoveCount"
        case .reboundMoveCount: "reboundMoveCount"
        case .foulMoveCount: "foulMoveCount"
        }
    }

    public func writePlainly(to out: inout JSONWriter) -> Bool {
        out.plainEvent(name) { out in
            switch self {
            case .name(let text): out.member("text", text)
            case .onePointMoveCount(let text, let count), .twoPointMoveCount(let text, let count),
                .assistMoveCount(let text, let count), .reboundMoveCount(let text, let count),
                .foulMoveCount(let text, let count):
                out.member("text", text) && out.member("count", count)
            }
        }
    }
}
