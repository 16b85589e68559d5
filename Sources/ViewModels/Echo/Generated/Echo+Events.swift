// Generated from Echo.swift by scripts/event-code.sh.
// To change it, change that file and run the script.

public import BusdProtocol

extension Echo.ViewEvent {
    public init(plainly json: JSONValue) throws(NotPlain) {
        var json = try PlainReader(json)
        switch json.name {
        case "say": self = try .say(text: json.member("text"))
        default: throw NotPlain()
        }
        try json.end()
    }
}

extension Echo.ViewModelEvent {
    public var name: String { "said" }

    public func writePlainly(to out: inout JSONWriter) -> Bool {
        out.plainEvent(name) { out in
            switch self {
            case .said(let text): out.member("text", text)
            }
        }
    }
}
