/// An action in the form of the log.
public struct LogEntry: Equatable, Sendable {
    /// The numbers of entries and things. Redis computes with `Double`, which has them all.
    public static let numbers = 0...(1 << 52)

    /// Bytes of an action in a shared log.
    package static let mostOfShared = 4 << 20

    /// The place in the log, from 1. Entries are numbered without gaps when they are appended;
    /// removed entries leave gaps.
    public var number: Int
    /// The time of the proposal, on the clock of the log. It never goes back from entry to entry.
    public var time: Instant
    /// `Thing.kind` of the library.
    public var kind: String
    /// The id of the thing; empty: an action on the library itself, such as a creation.
    public var id: String
    /// The number of the previous entry of the same thing or library; 0: there is none. The
    /// creation of a thing is its first entry. Equal to `number`: the entry contains the whole
    /// thing.
    public var previous: Int
    /// The name of the client that sent it, for the history.
    public var by: String?
    /// The user id of that client, for the history; `nil`: no client sent it, or it is unknown.
    public var uid: Int?
    /// In a house, the name of the daemon that took it from the client, for the history.
    public var daemon: String?
    /// The key of the `send`, if it has one.
    public var key: SendKey?
    /// `key` and `unchangedSince` refer to the library, although the action is on a thing.
    public var isSentToLibrary = false
    /// The entry has no effect if an entry with a higher number than this had an effect on the
    /// subject.
    public var unchangedSince: Int?
    /// The action as JSON.
    public var body: [UInt8]
    /// `body` is the state of the thing after this entry (`SavedState.sharedForm`), because earlier
    /// entries were cut off.
    public var holdsState = false
    /// The number of the thing that a creation may make; 0: it makes none. It is not kept in the
    /// log. The store reserves it, so that no number is used again even if the log is lost.
    public var highestID = 0

    /// An entry without conditions. The library fills in the rest.
    public init(
        number: Int = 0, time: Instant, kind: String, id: String, previous: Int = 0,
        by: String? = nil, body: [UInt8] = []
    ) {
        (self.number, self.time, self.kind, self.id) = (number, time, kind, id)
        (self.previous, self.by, self.body) = (previous, by, body)
    }
}

/// Stores entries before they are applied.
///
/// The loop appends the entries of a turn together, and never waits. The log reports their outcomes
/// in the same order.
package protocol Log: AnyObject {
    /// False: entries are not kept, so they are committed at once, unencoded and not appended.
    var isKept: Bool { get }

    /// False after a failure of unknown extent: no entry can be appended now.
    var isAvailable: Bool { get }

    /// Begins to write the entries. They are numbered in order.
    func append(_ entries: [LogEntry])

    /// Removes and returns the next outcome; `nil`: there is none yet.
    func takeOutcome() -> LogOutcome?

    /// Other daemons append to the same log.
    var isShared: Bool { get }

    /// The name of this daemon among those with the same log.
    var daemon: String? { get }

    /// There may be an outcome although nothing was appended: another daemon's entry.
    var hasArrivals: Bool { get }

    /// An entry of a shared log has been applied.
    func applied(_ entry: AppliedEntry)

    /// An entry that arrived cannot be read, so neither it nor a later one can be applied.
    func stop(at entry: LogEntry, _ reason: String)
}

extension Log {
    package var isShared: Bool { false }
    package var daemon: String? { nil }
    package var hasArrivals: Bool { false }
    package func applied(_ entry: AppliedEntry) {}
    package func stop(at entry: LogEntry, _ reason: String) {}
}

/// An entry of a shared log, and its effect.
package struct AppliedEntry {
    /// Has `previous` and `highestID`, which follow from the state before the entry.
    package let entry: LogEntry
    /// False: the rules did not allow the action, and nothing has changed.
    package let hadEffect: Bool
    /// The entry may have replaced or removed a secret, which its log must not keep.
    package let replacesSecret: Bool
    /// The summary of the thing as JSON; empty: there is no such thing.
    package let summary: [UInt8]
}

/// The outcome of the oldest entries that were appended and have no outcome yet.
package enum LogOutcome: Equatable, Sendable {
    /// This many entries are in the log.
    case committed(Int)
    /// None of them is in the log, nor will be.
    case refused

    // Of a shared log:

    /// The oldest is in the log, with this number and time.
    case placed(number: Int, time: Instant)
    /// This many entries may be in the log, now or later. They get no other outcome: if they are in
    /// the log, they arrive like entries of another daemon.
    case uncertain(Int)
    /// The next entry of the log, which this daemon has not appended.
    indirect case arrived(LogEntry)
}

/// A log that keeps nothing. `Libraries` takes its entries as committed.
package final class MemoryLog: Log {
    /// An empty log.
    package init() {}

    package var isKept: Bool { false }
    package var isAvailable: Bool { true }

    package func append(_ entries: [LogEntry]) {}
    package func takeOutcome() -> LogOutcome? { nil }
}

/// A thing, or a library, as it was after some entry of the log.
package struct SavedState: Equatable, Sendable {
    /// `Thing.kind` of the library.
    package var kind: String
    /// Empty: the library itself.
    package var id: String
    /// The number of the newest entry of the thing in the log.
    package var lastEntry: Int
    /// The number of the newest entry that had an effect. It differs from `lastEntry` if the log
    /// keeps later entries without an effect.
    package var lastEffect: Int
    /// The summary of the thing as JSON; empty for a library.
    package var summary: [UInt8]
    /// The thing as JSON.
    package var body: [UInt8]
    /// The keys that it remembers, eight bytes each.
    package var keys: [UInt8]

    /// Takes the values unchecked.
    package init(
        kind: String, id: String, lastEntry: Int = 0, lastEffect: Int = 0, summary: [UInt8] = [],
        body: [UInt8] = [], keys: [UInt8] = []
    ) {
        (self.kind, self.id, self.lastEntry, self.lastEffect) = (kind, id, lastEntry, lastEffect)
        (self.summary, self.body, self.keys) = (summary, body, keys)
    }
}

/// One change of the states since they were last saved.
package enum StateChange: Equatable, Sendable {
    /// - Parameter keepsHistory: false: entries before `lastEntry` are removed from the log.
    case save(SavedState, keepsHistory: Bool)
    /// The thing was deleted: its entries up to `lastEntry` are removed from the log. Its deletion
    /// stays. An entry with the id of the thing replaces its creation.
    case remove(kind: String, id: String, lastEntry: Int)
    /// The log is changed once the states are saved.
    case amend(LogAmendment)
}

/// A change of an entry that the saved states cover.
@usableFromInline package enum LogAmendment: Equatable, Sendable {
    /// The entry had no effect: it is removed from the log.
    case remove(Int)
    /// The entry followed one without an effect: its `previous` is now this number.
    case link(Int, to: Int)
    /// The condition of an entry of a library was true. It is removed, because it may depend on
    /// entries that will be removed.
    case decide(Int)
}

/// Reads the entries of a log in portions, because all together may not fit into memory.
package protocol EntryReader: Sendable {
    /// Calls `body` for each entry of a kind, in order. After a failure, no more entries are read;
    /// the owner of the log reports it.
    ///
    /// - Parameter areNewer: false: the entries before `LogContent.remaining`; true: the others.
    func read(_ kind: String, areNewer: Bool, _ body: (LogEntry) -> Void)
}

/// The content of a log, and the saved states, at the start of a daemon.
package struct LogContent: Sendable {
    /// The states as of the entry `covered`.
    package var states: [SavedState] = []
    /// The number of the newest entry that `states` contain; 0: they contain none.
    package var covered = 0
    /// Some newer states are lost, so all are rebuilt from `states`.
    package var areStatesLost = false
    /// If states are lost: the newer states that can be read. They replace the result of the
    /// entries before them.
    package var remaining: [SavedState] = []
    /// The entries after `states`, in order.
    package var entries: [LogEntry] = []
    /// Reads these entries if they are many or if states are lost; then `entries` is empty.
    package var reader: (any EntryReader)?
    /// The number of the newest entry, even if it was removed.
    package var lastNumber = 0
    /// Log time continues at this time or later.
    package var lastTime = Instant(microseconds: 0)

    /// The content of a new log: no states and no entries.
    package init() {}
}
