/// A refusal, as it is told on the wire (PROTOCOL.md, section 9): a peer's mistake, answered and
/// then forgotten.
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
    /// Where in the request, `event.createGame.home.players.1`; with `badEvent` and `unknownEvent`.
    public var path: String?
    /// Names that are near to an unknown one.
    public var suggestions: [String]
    /// With `stale`: where the view model stands.
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

    /// Three lines running that are answered so end the connection.
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
    /// A peer's text in an error: at most 200 bytes of it, and an ellipsis.
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
