/// The answer to a mistake of a peer (docs/protocol.md, "Errors"). Nothing changes.
public struct WireError: Error, Equatable, Sendable {
    /// A code is stable; the message is for people.
    public enum Code: String, CaseIterable, Sendable {
        /// The line is no JSON object, or a request in words that cannot be read.
        case parse
        /// The line has more than `Limits.line` bytes.
        case tooLong
        /// A key of the request is missing, unknown or of a wrong type.
        case badRequest
        /// The request has no known operation.
        case unknownOp
        /// There is no view model at the address.
        case unknownViewModel
        /// The kind has no event with the name.
        case unknownEvent
        /// The payload of the event has a bad form or value, or can never fit into a limit.
        case badEvent
        /// The connection may not do this: a view socket, another owner, or no administrator.
        case notAllowed
        /// A condition of the request (`ifSeq`, `ifDone`) is not true any more, or a draft has
        /// changed.
        case stale
        /// `hello` asked for another version of the protocol.
        case unsupportedProtocol
        /// A limit is reached; the same request may work later.
        case overloaded
        /// The storage cannot write now; nothing has changed.
        case unavailable
        /// In a house: the log does not answer, so the event may have been handled or not.
        case uncertain
        /// A fault of the daemon.
        case `internal`
    }

    /// For programs; stable between versions.
    public var code: Code
    /// For people: the fault, and how to fix it.
    public var message: String
    /// The place in the request, such as `event.createGame.home.players.1`; with `badEvent` and
    /// `unknownEvent`.
    public var path: String?
    /// Names similar to an unknown one.
    public var suggestions: [String]
    /// With `stale`: the present `seq` of the view model.
    public var seq: Int?
    /// With `stale`, if the request had `ifDone`: the present `done`.
    public var done: Cursor?

    /// Takes the texts unchecked: clip a text of a peer before it is quoted.
    public init(
        _ code: Code, _ message: String, path: String? = nil, suggestions: [String] = [],
        seq: Int? = nil, done: Cursor? = nil
    ) {
        self.code = code
        self.message = message
        self.path = path
        self.suggestions = suggestions
        self.seq = seq
        self.done = done
    }

    /// Three consecutive lines with such an error end the connection.
    public var isBadInput: Bool { code == .parse || code == .tooLong || code == .unknownOp }

    /// Appends the object that a refusal has under `error`.
    public func write(to out: inout JSONWriter) {
        out.object { out in
            out.member("code", code.rawValue)
            out.member("message", message)
            if let path { out.member("path", path) }
            if !suggestions.isEmpty { out.member("suggestions", suggestions) }
            if let seq { out.member("seq", seq) }
            if let done { out.member("done", done.description) }
        }
    }
}

extension String {
    /// A peer's text for an error: at most 200 bytes of it, and an ellipsis if it was longer.
    package var clipped: String {
        guard utf8.count > 200 else { return self }
        var (end, length) = (unicodeScalars.startIndex, 0)
        while length + 4 <= 200 {
            length += unicodeScalars[end].utf8.count
            unicodeScalars.formIndex(after: &end)
        }
        return "\(self[..<end])…"
    }
}
