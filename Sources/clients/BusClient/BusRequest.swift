public import BusdProtocol

/// A request (docs/protocol.md, "Requests") without its `id`.
public struct BusRequest: Sendable {
    /// The JSON object without its last brace, so that `id` can be appended.
    private let open: [UInt8]

    private init(_ op: String, _ members: (inout JSONWriter) -> Void = { _ in }) {
        var json = JSONWriter()
        json.object { out in
            out.member("op", op)
            members(&out)
        }
        open = json.bytes.dropLast()
    }

    /// The whole line, with its line feed.
    package func line(id: Int) -> [UInt8] { open + Array(",\"id\":\(id)}\n".utf8) }

    // MARK: Operations

    /// Names the client, and asks for the limits of the daemon and the number of the connection.
    public static func hello(name: String? = nil) -> Self {
        Self("hello") { out in
            out.member("protocol", 1)
            if let name { out.member("name", name) }
        }
    }

    /// Asks for the view models whose addresses match.
    public static func list(_ pattern: Pattern = .everything) -> Self {
        Self("list") { $0.member("to", pattern.text) }
    }

    /// Describes a kind, or the kind of the view model at an address; without either, all kinds.
    public static func describe(_ kindOrAddress: String? = nil) -> Self {
        Self("describe") { out in
            if let kindOrAddress { out.member("to", kindOrAddress) }
        }
    }

    /// Asks for the present values of a view model.
    public static func get(_ address: Address) -> Self {
        Self("get") { $0.member("to", address.text) }
    }

    /// `name` is the name of the view. `only` has the names of the events that it gets. `since` is
    /// allowed only with one address.
    public static func subscribe(
        _ pattern: Pattern, as name: String? = nil, only: [String]? = nil, since: Cursor? = nil
    ) -> Self {
        Self("subscribe") { out in
            out.member("to", pattern.text)
            if let name { out.member("as", name) }
            if let only { out.member("only", only) }
            if let since { out.member("since", since.description) }
        }
    }

    /// Ends the subscription with exactly this address or pattern.
    public static func unsubscribe(_ pattern: Pattern) -> Self {
        Self("unsubscribe") { $0.member("to", pattern.text) }
    }

    /// `event` is JSON, of one line or more: an object with one key, or a bare name as a text.
    public static func send(
        _ event: [UInt8], to address: Address, ifSeq: SeqCondition? = nil, ifDone: Cursor? = nil,
        key: String? = nil
    ) -> Self {
        Self("send") { out in
            out.member("to", address.text)
            out.key("event")
            // JSON may have line feeds between its tokens, but here they would end the request.
            out.raw(event.lazy.map { $0 == UInt8(ascii: "\n") ? UInt8(ascii: " ") : $0 })
            switch ifSeq {
            case .seq(let seq): out.member("ifSeq", seq)
            case .cursor(let cursor): out.member("ifSeq", cursor.description)
            case nil: break
            }
            if let ifDone { out.member("ifDone", ifDone.description) }
            if let key { out.member("key", key) }
        }
    }

    /// Asks for an answer. It follows the answers to all earlier requests of the connection.
    public static var ping: Self { Self("ping") }
}

/// Why a request was not answered with `ok`.
public enum RequestFailure: Error, Equatable, Sendable {
    /// The daemon refused it, and nothing has changed. Or it was not sent: it is too long, or too
    /// many requests wait.
    case refused(WireError)
    /// There is no connection, or it ended before the answer: then the request may have been done.
    case lost(Loss)
    /// No answer arrived in time. The request may have been done.
    case timedOut
}
