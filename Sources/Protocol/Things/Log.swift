/// An action in the form in which the log keeps it.
public struct LogEntry: Equatable, Sendable {
    /// The place in the log, from 1. Entries are numbered without gaps when they are appended;
    /// removed entries leave gaps.
    public var number: Int
    public var time: Instant
    /// `Thing.kind` of the library.
    public var kind: String
    /// The id of the thing; empty: an action on the library itself, such as a creation.
    public var id: String
    /// The number of the entry before of the same thing, or of the library's creation of it; 0:
    /// there is none. The number of this entry: it says all of the thing.
    public var previous: Int
    /// The name of the client that sent it, for the history.
    public var by: String?
    /// Of the `send`, if it has one.
    public var key: SendKey?
    /// `key` and `unchangedSince` refer to the library, although the action is on a thing.
    public var isSentToLibrary = false
    /// No effect if an entry with a higher number than this has had an effect on the subject.
    public var unchangedSince: Int?
    /// The action as JSON.
    public var body: [UInt8]
    /// The number of the thing that a creation may make; 0: it makes none. It is not kept in the
    /// log, but reserved, so that no number is used again even if the log is lost.
    public var highestID = 0

    public init(
        number: Int = 0, time: Instant, kind: String, id: String, previous: Int = 0,
        by: String? = nil, body: [UInt8] = []
    ) {
        (self.number, self.time, self.kind, self.id) = (number, time, kind, id)
        (self.previous, self.by, self.body) = (previous, by, body)
    }
}

/// Where entries go before they are applied.
///
/// The loop hands over the entries of a turn together, and never waits. The log reports in the same
/// order what became of them.
public protocol Log: AnyObject {
    /// False: commits its entries at once and are not kept, so they need not be encoded.
    var isKept: Bool { get }

    /// False after a failure whose extent is not known yet: no entry can be appended now.
    var isAvailable: Bool { get }

    /// Begins to write the entries. They are numbered in order.
    func append(_ entries: [LogEntry])

    /// The next outcome, once; `nil` while there is none.
    func takeOutcome() -> LogOutcome?

    /// Other daemons append to the same log.
    var isShared: Bool { get }

    /// There may be an outcome although nothing was appended: another daemon's entry.
    var hasArrivals: Bool { get }

    /// An entry of a shared log has been applied.
    func applied(_ entry: AppliedEntry)

    /// An entry that arrived cannot be read, so neither it nor a later one can be applied.
    func stop(at entry: LogEntry, _ reason: String)
}

extension Log {
    public var isShared: Bool { false }
    public var hasArrivals: Bool { false }
    public func applied(_ entry: AppliedEntry) {}
    public func stop(at entry: LogEntry, _ reason: String) {}
}

/// An entry of a shared log, and what it has changed.
public struct AppliedEntry {
    /// With `previous` and `highestID`, which follow from the state before it.
    public let entry: LogEntry
    public let hadEffect: Bool
    /// Of the thing, as JSON; empty: there is no such thing.
    public let summary: [UInt8]
}

/// What became of the oldest entries that have been appended and not reported yet.
public enum LogOutcome: Equatable, Sendable {
    /// As many are in the log.
    case committed(Int)
    /// None of them is in the log, nor will be.
    case refused

    // Of a shared log:

    /// The oldest is in the log, with this number and time.
    case placed(number: Int, time: Instant)
    /// As many may be in the log, now or later. They are not reported again: if they are in the
    /// log, they arrive like those of another daemon.
    case uncertain(Int)
    /// The next entry of the log, which this daemon has not appended.
    indirect case arrived(LogEntry)
}

/// A log that keeps nothing: entries land as soon as they are appended.
public final class MemoryLog: Log {
    private var count = 0

    public init() {}

    public var isKept: Bool { false }
    public var isAvailable: Bool { true }

    public func append(_ entries: [LogEntry]) { count += entries.count }

    public func takeOutcome() -> LogOutcome? {
        guard count > 0 else { return nil }
        defer { count = 0 }
        return .committed(count)
    }
}

/// A thing, or a library, as it was after some entry of the log.
public struct SavedState: Equatable, Sendable {
    public var kind: String
    /// Empty: the library itself.
    public var id: String
    /// The newest entry of the thing, and the newest that had an effect.
    public var lastEntry: Int
    public var lastEffect: Int
    public var summary: [UInt8]
    /// The thing as JSON.
    public var body: [UInt8]
    /// Eight bytes for each key that it remembers.
    public var keys: [UInt8]

    public init(
        kind: String, id: String, lastEntry: Int = 0, lastEffect: Int = 0, summary: [UInt8] = [],
        body: [UInt8] = [], keys: [UInt8] = []
    ) {
        (self.kind, self.id, self.lastEntry, self.lastEffect) = (kind, id, lastEntry, lastEffect)
        (self.summary, self.body, self.keys) = (summary, body, keys)
    }
}

/// Part of what has changed in the states since they were last saved.
public enum StateChange: Equatable, Sendable {
    /// - Parameter keepsHistory: false: entries before `lastEntry` are removed from the log.
    case save(SavedState, keepsHistory: Bool)
    /// The thing was deleted: its entries, the last of which is `lastEntry`, are removed from the
    /// log. What stays is its deletion and, in place of its creation, the id that it had.
    case remove(kind: String, id: String, lastEntry: Int)
    /// A conditional entry of a library was applied, or was stale. Its condition is removed from
    /// the log, because it may depend on entries that will be removed.
    case decide(number: Int, isStale: Bool)
}

/// A view of a log, and of the states that were saved, at the start of a daemon.
public struct LogContent: Sendable {
    /// The states after the entry `covered`.
    public var states: [SavedState] = []
    public var covered = 0
    /// Newer states are lost in part, so they have to be rebuilt from `states`.
    public var areStatesLost = false
    /// Then: the entries up to the newer states, which are applied first.
    public var history: [LogEntry] = []
    /// Then: the newer states that can be read. They replace the result.
    public var remaining: [SavedState] = []
    /// The entries after all these, in order.
    public var entries: [LogEntry] = []
    /// The number of the newest entry, also one that was removed.
    public var lastNumber = 0
    /// Log time continues at this time or later.
    public var lastTime = Instant(microseconds: 0)

    public init() {}
}
