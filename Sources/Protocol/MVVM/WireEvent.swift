/// Which events a slow view needs. `describe` has it for each event of a view model.
public enum Delivery: String, Sendable {
    /// A value: only the newest event counts, and a snapshot contains it.
    case latest
    /// A message: a view gets it when it is sent, or not at all.
    case every
}

/// An event between a view and a view model: a plain `Codable` enum with labelled payloads.
///
/// Its wire form is the one that Swift synthesises, `{"score":{"home":3,"away":2,"text":"3 - 2"}}`.
/// An event knows nothing of sockets, so the same enum serves a view in the same process.
public protocol WireEvent: Codable, Equatable, Sendable {
    /// One event of each case, in the order of the cases. `describe` shows them, and takes the
    /// names and types of the payloads from them. Without an example an event from a view is
    /// refused as unknown, and an event to views cannot be named by `only`; the daemon logs that
    /// when it first happens, and `RecordingView` and `TestBus` fail the test.
    static var examples: [Self] { get }

    /// Whether the event is a value or a message; a message by default.
    var delivery: Delivery { get }

    /// Whether a view event means the same later, so that a client may keep it while the daemon is
    /// away. False by default: an event such as `undo` would take back something else by then.
    var canWait: Bool { get }

    /// The name of the case: the one key of the event's wire form.
    var name: String { get }

    /// Reads an event in its most common form. If this throws, `Codable` reads the event.
    init(plainly json: JSONValue) throws(NotPlain)

    /// Appends exactly the JSON that `Codable` would, and returns true. Or appends nothing and
    /// returns false; then `Codable` writes the event.
    func writePlainly(to out: inout JSONWriter) -> Bool
}

extension WireEvent {
    public init(plainly json: JSONValue) throws(NotPlain) { throw NotPlain() }

    public func writePlainly(to out: inout JSONWriter) -> Bool { false }

    public var delivery: Delivery { .every }

    public var canWait: Bool { false }

    /// Reflection takes 1 to 3 µs. A `BusyEvent` that goes to views has a generated `switch`.
    public var name: String {
        Mirror(reflecting: self).children.first?.label ?? String(describing: self)
    }
}

/// An event that may be sent thousands of times per second. The daemon reads or writes it with
/// generated code: scripts/event-code.sh generates `init(plainly:)` for its `ViewEvent`, and `name`
/// and `writePlainly` for its `ViewModelEvent`.
///
/// Its `Codable` must be the synthesised one. A payload costs least if it has only texts, `Int`,
/// `Bool`, `PlainJSON`, and lists of texts or `PlainJSON`: `Codable` reads and writes all other
/// values. The script also generates `write` for each struct that is declared as `PlainJSON`.
public protocol BusyEvent: WireEvent {}

/// The contract of one kind of view model: its name in addresses and in `describe`, and its two
/// enums.
public protocol ViewModelKind {
    /// The events that come from views.
    associatedtype ViewEvent: WireEvent
    /// The events that go to views.
    associatedtype ViewModelEvent: WireEvent

    /// `scoreboard`, `game-creator`: a plain name, one segment of an address.
    static var name: String { get }

    /// The limits that clients have to know.
    static var limits: [Limit] { get }

    /// Former names of events of views that are still accepted, with the present names. A policy
    /// that names an event decides its former names, too.
    static var formerNames: KeyValuePairs<String, String> { get }
}

extension ViewModelKind {
    public static var limits: [Limit] { [] }
    public static var formerNames: KeyValuePairs<String, String> { [:] }
}
