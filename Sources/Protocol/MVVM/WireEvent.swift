/// How much of an event a slow view needs, told by `describe` for each event of a view model.
public enum Delivery: String, Sendable {
    /// A value: only the newest counts, and a snapshot contains it.
    case latest
    /// A message: a view gets it when it is sent, or not at all.
    case every
}

/// What a view and a view model say to each other: a plain `Codable` enum with labelled payloads.
///
/// Its wire form is what Swift synthesises, `{"score":{"home":3,"away":2,"text":"3 - 2"}}`. An
/// event says nothing about sockets, so the same enum serves a view in the same process.
public protocol WireEvent: Codable, Equatable, Sendable {
    /// One event of each case, in the order of the cases. `describe` shows them, and reads the
    /// names and the types of the payloads off them.
    static var examples: [Self] { get }

    /// Whether the event is a value or a message; `every`, unless the enum says otherwise.
    var delivery: Delivery { get }

    /// Whether a view event means the same later, so that a client may keep it while the daemon is
    /// away. False unless the enum says otherwise: an event such as `undo` would then take back
    /// something else.
    var canWait: Bool { get }

    /// The name of the case: the one key of the event's wire form.
    var name: String { get }

    /// Reads an event that is written in the most common way; where it throws, `Codable` does it.
    init(plainly json: JSONValue) throws(NotPlain)

    /// Appends exactly what `Codable` would; or nothing, and returns false: then `Codable` does it.
    func writePlainly(to out: inout JSONWriter) -> Bool
}

extension WireEvent {
    public init(plainly json: JSONValue) throws(NotPlain) { throw NotPlain() }

    public func writePlainly(to out: inout JSONWriter) -> Bool { false }

    public var delivery: Delivery { .every }

    public var canWait: Bool { false }

    /// Found by reflection, in one to three microseconds. The code that scripts/event-code.sh
    /// generates is a `switch`.
    public var name: String {
        Mirror(reflecting: self).children.first?.label ?? String(describing: self)
    }
}

/// An event of which thousands come each second. It reads itself, or writes itself, where the
/// daemon does that: scripts/event-code.sh generates `init(plainly:)` for its `ViewEvent`, and
/// `writePlainly` for its `ViewModelEvent`.
///
/// Its `Codable` is the synthesised one. A payload costs least if it has only texts, `Int`, `Bool`,
/// `PlainJSON`, and lists of texts or `PlainJSON`: `Codable` writes and reads all other values.
public protocol BusyEvent: WireEvent {}

/// The contract of one kind of view model: its name in addresses and in `describe`, and its two
/// enums.
public protocol ViewModelKind {
    associatedtype ViewEvent: WireEvent
    associatedtype ViewModelEvent: WireEvent

    /// `scoreboard`, `game-creator`: a plain name, one segment of an address.
    static var name: String { get }

    /// Limits of the kind, by the names that refusals use.
    static var limits: KeyValuePairs<String, Int> { get }
}

extension ViewModelKind {
    public static var limits: KeyValuePairs<String, Int> { [:] }
}
