/// Why a view model refuses an event: the error that the sender gets in place of an answer.
///
/// A refusal is for limits and permissions. A move that the rules do not allow has no effect, and a
/// bad name is reported by an event; neither is a refusal.
public struct Refusal: Equatable, Sendable {
    /// The code of the error that the sender gets.
    public let code: WireError.Code
    /// For people. It names the limit and says what to do.
    public let message: String
    /// The place of the value in the event, such as `home.players.1`. `nil`: the event as a whole.
    public let path: String?

    /// A refusal with any code. Prefer `overloaded` and `badEvent`, which name the limit.
    public init(_ code: WireError.Code, _ message: String, at path: String? = nil) {
        self.code = code
        self.message = message
        self.path = path
    }

    /// A limit is reached: `overloaded`, with the name of the limit, as `describe` shows it.
    public static func overloaded(_ message: String, limit: Limit) -> Refusal {
        Refusal(.overloaded, "\(message) (limit \(limit.name))")
    }

    /// The event exceeds a limit, and would exceed it later too: `badEvent`, with the name of the
    /// limit, as `describe` shows it.
    public static func badEvent(_ message: String, at path: String? = nil, limit: Limit) -> Refusal
    {
        Refusal(.badEvent, "\(message) (limit \(limit.name))", at: path)
    }
}
