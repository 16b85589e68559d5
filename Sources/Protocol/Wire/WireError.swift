/// The answer to a mistake of a peer (docs/protocol.md, "Errors"). Nothing changes.
public struct WireError: Error, Equatable, Sendable {
    /// A code is stable; the message is for people.
    public enum Code: String, CaseIterable, Sendable {
        case parse
        case tooLong
        case badRequest
        case unknownOp
        case unknownViewModel
        case unknownEvent
        case badEvent
        case notAllowed
        case stale
        case unsupportedProtocol
        case overloaded
        case unavailable
        case uncertain
        case `internal`
    }

    public var code: Code
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
