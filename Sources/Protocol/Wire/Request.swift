/// A request, checked as far as the line alone allows (docs/protocol.md, "Requests").
public struct Request {
    /// The `id` of a request. The answer, and the `cause` of events, have the same.
    public enum ID: Equatable, Sendable {
        /// A text of at most `Limits.text` bytes.
        case text(String)
        /// An integer of at most 2^53 in size.
        case integer(Int)
    }

    package struct Subscribe: Equatable, Sendable {
        package var to: Pattern
        /// The name of the view.
        package var `as`: String?
        /// The names of the events that are wanted; `nil`: all.
        package var only: Set<ExactText>?
        package var since: Cursor?
    }

    /// An event of a view: an object with one key, or the bare name as a text.
    package typealias Event = JSONValue

    package struct Send {
        package var to: Address
        package var event: Event
        package var ifSeq: SeqCondition?
        package var key: String?
        /// The value that `done` must have.
        package var ifDone: Cursor?
    }

    package enum Operation {
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

    package var id: ID?
    package var operation: Operation

    /// One line for each operation, for `help`.
    package static let examples: [(op: String, line: String)] = [
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
package struct RequestRefusal: Error {
    package let error: WireError
    package let id: Request.ID?

    package init(error: WireError, id: Request.ID?) {
        self.error = error
        self.id = id
    }
}

extension Request.ID {
    /// Appends the id as a text or as an integer.
    public func write(to out: inout JSONWriter) {
        switch self {
        case .text(let text): out.value(text)
        case .integer(let integer): out.value(integer)
        }
    }
}
