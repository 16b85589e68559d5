/// A request, checked as far as the line alone allows (docs/protocol.md, "Requests").
public struct Request {
    public enum ID: Equatable, Sendable {
        case text(String)
        case integer(Int)
    }

    public struct Subscribe: Equatable, Sendable {
        public var to: Pattern
        /// The name of the view.
        public var `as`: String?
        /// The names of the events that are wanted; `nil`: all.
        public var only: Set<ExactText>?
        public var since: Cursor?
    }

    /// An event of a view: an object with one key, or the bare name as a text.
    public typealias Event = JSONValue

    public struct Send {
        public var to: Address
        public var event: Event
        public var ifSeq: SeqCondition?
        public var key: String?
        /// The value that `done` must have.
        public var ifDone: Cursor?
    }

    public enum Operation {
        case hello(name: String?)
        // Rare and large payloads are `indirect`, so that a `send` is small.
        indirect case list(Pattern)
        /// The name of a kind is an address of one segment. `nil`: all kinds.
        case describe(Address?)
        case get(Address)
        indirect case subscribe(Subscribe)
        indirect case unsubscribe(Pattern)
        case send(Send)
        case ping
        /// `inWords`: the examples must be in words.
        case help(inWords: Bool)
    }

    public var id: ID?
    public var operation: Operation

    /// Whether it is a `send` with a key, which must not take effect twice.
    package var hasKey: Bool {
        if case .send(let send) = operation { send.key != nil } else { false }
    }

    /// One line for each operation, for `help`.
    public static let examples: [(op: String, line: String)] = [
        ("hello", #"{"op":"hello","protocol":1,"name":"courtside"}"#),
        ("list", #"{"op":"list","to":"scoreboard/**"}"#),
        ("describe", #"{"op":"describe","to":"scoreboard"}"#),
        ("get", #"{"op":"get","to":"scoreboard/1"}"#),
        ("subscribe", #"{"op":"subscribe","to":"scoreboard/**","as":"container","id":1}"#),
        ("unsubscribe", #"{"op":"unsubscribe","to":"scoreboard/**"}"#),
        ("send", #"{"op":"send","to":"scoreboard/1","event":"togglePause","id":2}"#),
        ("ping", #"{"op":"ping","id":3}"#),
        ("help", #"{"op":"help"}"#),
    ]
}

/// The reason why a line is not a request, and the `id` for the answer.
public struct RequestRefusal: Error {
    public let error: WireError
    public let id: Request.ID?

    public init(error: WireError, id: Request.ID?) {
        self.error = error
        self.id = id
    }
}

extension Request.ID {
    public func write(to out: inout JSONWriter) {
        switch self {
        case .text(let text): out.value(text)
        case .integer(let integer): out.value(integer)
        }
    }
}
