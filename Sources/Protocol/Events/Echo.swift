/// `echo/NAME`: the smallest view model.
public enum Echo: ViewModelKind {
    public static let name = "echo"

    public enum ViewEvent: WireEvent {
        case say(text: String)

        public static let examples: [Self] = [.say(text: "hello")]

        public init(plainly json: JSONValue) throws(NotPlain) {
            guard let (name, payload) = json.onlyMember, name.isExactly("say"),
                let (key, value) = payload.onlyMember, key.isExactly("text"),
                let text = value.text
            else { throw NotPlain() }
            self = .say(text: text)
        }
    }

    public enum ViewModelEvent: WireEvent {
        case said(text: String)

        public static let examples: [Self] = [.said(text: "hello")]

        public func writePlainly(to out: inout JSONWriter) -> Bool {
            switch self {
            case .said(let text): out.event(name) { $0.member("text", text) }
            }
            return true
        }

        public var name: String { "said" }
    }
}
