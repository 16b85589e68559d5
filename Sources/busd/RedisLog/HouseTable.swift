import BusdEventLoop
package import BusdProtocol

/// The daemons of a house, from their heartbeats, and the time of the house.
package final class HouseTable {
    package struct Row: Equatable {
        package let origin: String
        package let name: String
        package let version: String
        package let position: Int
        /// When the daemon started, and its last heartbeat, in the time of the house.
        package let since: Instant
        package let seen: Instant
    }

    private struct RowForm: Codable {
        var name: String
        var version: String
        var position: Int
        var since: Int
        /// See `claim`.
        var ahead: Int?

        /// False if it is not of a daemon.
        var isPossible: Bool {
            HouseTable.isName(name) && HouseTable.isName(version)
                && LogEntry.numbers.contains(position)
                && Instant.stored.contains(Int64(widening: since))
        }
    }

    private let name: String
    private let version: String
    private let origin: String
    private var started: Instant?

    package internal(set) var rows: [Row] = []
    package private(set) var newest = 0
    /// The states in Redis are as of this entry; 0: there are none.
    package internal(set) var statesEntry = 0
    /// The oldest entry of the stream; `nil`: it is empty.
    private var first: Int?
    /// Bytes of the entries behind the states.
    package private(set) var bytes = 0
    /// The newest entry that replaced a secret, if Redis may still have the former one.
    package private(set) var secret: Int?
    /// The daemon has followed the log at least once since its start.
    package internal(set) var hasFollowed = false
    /// The time of the house minus the time of the loop, in microseconds. It does not follow a step
    /// of Redis' clock.
    package private(set) var offset: Int64?
    /// How far the time of the house has moved away from what this daemon expects, in microseconds.
    private(set) var claim: Int64 = 0
    /// The time of the house minus the time of Redis when `claim` was computed.
    var off = 0
    /// Heartbeats in a row that have not changed the time of the house as claimed.
    private var vainClaims = 0
    private static let mostVainClaims = 4
    /// Microseconds. A smaller difference is a clock that is being adjusted.
    private static let leastStep: Int64 = 1_000_000
    /// The time of the house at the last heartbeat.
    package private(set) var time = Instant(microseconds: 0)
    private var silentHeartbeats = 0
    private var lastSeenPosition = 0

    init(_ start: HouseStart, _ origin: String) {
        (name, version, self.origin) = (start.member, start.version, origin)
    }

    /// Whether a daemon can have this name: 1 to 200 bytes of printable text.
    package static func isName(_ text: String) -> Bool {
        1...200 ~= text.utf8.count && !text.unicodeScalars.contains(where: \.isUnprintable)
    }

    package func isSelf(_ row: Row) -> Bool { row.origin.isExactly(origin) }

    /// Whether the daemon has had a heartbeat in the last two seconds.
    package func isAlive(_ row: Row) -> Bool {
        row.seen.microseconds > time.microseconds - 2_000_000
    }

    /// Whether the daemon has had a heartbeat in the last minute.
    package func isRecent(_ row: Row) -> Bool { millisecondsSince(row) < 60_000 }

    /// Milliseconds since the last heartbeat of a daemon.
    package func millisecondsSince(_ row: Row) -> Int {
        let microseconds = max(0, time.microseconds - row.seen.microseconds)
        return Int(widening: microseconds / 1_000)
    }

    func row(_ position: Int) -> String {
        let form = RowForm(
            name: name, version: version, position: position,
            since: Int(widening: started?.microseconds ?? 0),
            ahead: claim == 0 ? nil : Int(widening: claim))
        return (try? sharedText(form)) ?? ""
    }

    /// - Parameters:
    ///   - time: the time of the house at `now`, with an error of at most half of `took`.
    ///   - took: microseconds from the heartbeat to its reply.
    func note(rows value: RedisValue, time: Int64, took: Int64, at now: Int64, newest: Int) {
        self.time = Instant(microseconds: time)
        started = started ?? self.time
        note(offset: time - now, within: took)  // fits: numbers of a peer are bounded
        self.newest = newest
        rows = Self.rows(value)
    }

    /// The rows in Redis, the oldest daemon first. Damaged rows are left out.
    static func rows(_ value: RedisValue) -> [Row] {
        let list = value.list ?? []
        return stride(from: 0, to: min(list.count - 1, 2 * mostRows), by: 2)
            .compactMap { row(list[$0], list[$0 + 1]) }
            .sorted { ($0.since, ExactText($0.origin)) < ($1.since, ExactText($1.origin)) }
    }

    private static let mostRows = 1_024

    /// If the other daemons deny the step, it was this daemon that has slept.
    private func note(offset new: Int64, within took: Int64) {
        let step = new - (offset ?? new)  // fits: numbers of a peer are bounded
        if abs(step) <= max(Self.leastStep, took) || vainClaims == Self.mostVainClaims {
            (offset, claim, vainClaims) = (new, 0, 0)
        } else {
            (claim, vainClaims) = (step, vainClaims + 1)
        }
    }

    func note(states: Int?, first: Int?, bytes: Int?, secret: Int?) {
        statesEntry = max(statesEntry, states ?? 0)
        (self.first, self.bytes, self.secret) = (first, bytes ?? 0, secret)
    }

    /// The time of the house, in decimal digits; empty if it is not known.
    func expectedTime(at now: Int64) -> String {
        offset.map { "\(now + $0)" } ?? ""  // fits: times of clocks
    }

    /// A daemon without content cannot follow the log: it was trimmed, and states are missing.
    package var needsStates: Bool { (first ?? newest + 1) > statesEntry + 1 }  // fits: bounded

    private static func row(_ origin: RedisValue, _ value: RedisValue) -> Row? {
        guard let origin = origin.name, let bytes = value.bytes,
            let space = bytes.firstIndex(of: UInt8(ascii: " ")),
            let seen = RedisValue.text(Array(bytes[..<space])).instant,
            let form = try? sharedValue(RowForm.self, from: Array(bytes[(space + 1)...])),
            form.isPossible
        else { return nil }
        return Row(
            origin: origin, name: form.name, version: form.version, position: form.position,
            since: Instant(microseconds: Int64(widening: form.since)), seen: seen)
    }

    /// Whether Redis has had newer entries at four heartbeats in a row, and none has arrived.
    func isReaderSilent(_ position: Int) -> Bool {
        let isBehind = newest > position && position == lastSeenPosition
        lastSeenPosition = position
        silentHeartbeats = isBehind ? silentHeartbeats + 1 : 0
        return silentHeartbeats >= 4
    }
}
