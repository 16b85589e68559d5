import BusdProtocol

/// Failed logins, with names of users and with any other names.
///
/// Five failures in a row lock a name for 30 s, but only for the uid that they came from. So no
/// user of the machine can lock out another. Many uids do not help an attacker: 25 failures within
/// 30 s, from any uids, lock the name for every uid that has not signed in with it.
///
/// A uid that has signed in with a name is remembered, so that failures of other uids do not lock
/// it out. These pairs have a table of their own. They are few, because each needs a right
/// password.
///
/// Only hashes of names are kept, because people type passwords into the wrong field. Each table
/// keeps at most 4,096 entries, and drops the oldest first. To drop the entry of a name, 4,096
/// other names have to fail, which takes longer than the lock.
struct FailedLogins {
    static let mostInRow = 5
    static let mostOfAll = 25
    static let lock: Duration = .seconds(30)
    static let mostNames = 4_096

    private var ofUsers = Table<Failures>()
    private var ofAll = Table<RecentFailures>()
    private var succeeded = Table<Success>()

    /// Entries of the largest table.
    var count: Int { max(ofUsers.count, ofAll.count, succeeded.count) }

    func isLocked(_ name: String, for uid: Int?, at now: Instant) -> Bool {
        let own = Self.key(name, uid)
        if ofUsers[own]?.isLocked(at: now) == true { return true }
        guard succeeded[own] == nil else { return false }
        return ofAll[Self.key(name)]?.failures.isLocked(at: now) ?? false
    }

    mutating func failed(_ name: String, for uid: Int?, at now: Instant) {
        ofUsers.change(Self.key(name, uid), or: Failures()) {
            $0.add(most: Self.mostInRow, at: now)
        }
        ofAll.change(Self.key(name), or: RecentFailures(start: now)) { $0.add(at: now) }
    }

    mutating func succeeded(_ name: String, for uid: Int?) {
        let key = Self.key(name, uid)
        ofUsers.remove(key)
        succeeded.change(key, or: Success()) { _ in }
    }

    private static func key(_ name: String) -> Int {
        var hasher = Hasher()
        hasher.combine(ExactText(name))
        return hasher.finalize()
    }

    private static func key(_ name: String, _ uid: Int?) -> Int {
        var hasher = Hasher()
        hasher.combine(uid)
        hasher.combine(ExactText(name))
        return hasher.finalize()
    }
}

/// Failures of a name in a row, since the last lock or success.
private struct Failures {
    private var count = 0
    private var lockedUntil: Instant?

    func isLocked(at now: Instant) -> Bool { lockedUntil.map { now < $0 } ?? false }

    mutating func add(most: Int, at now: Instant) {
        count += 1
        guard count == most else { return }
        count = 0
        lockedUntil = now + FailedLogins.lock
    }

    mutating func forget() { count = 0 }
}

/// Failures of a name within 30 s of `start`, from all uids.
private struct RecentFailures {
    var start: Instant
    var failures = Failures()

    mutating func add(at now: Instant) {
        if now >= start + FailedLogins.lock {
            start = now
            failures.forget()
        }
        failures.add(most: FailedLogins.mostOfAll, at: now)
    }
}

/// A uid has signed in with a name.
private struct Success {}

/// The values that have changed last, by hashes of their keys.
private struct Table<Value> {
    private var entries: [Int: (value: Value, number: Int)] = [:]
    private var lastNumber = 0

    var count: Int { entries.count }

    subscript(key: Int) -> Value? { entries[key]?.value }

    mutating func change(_ key: Int, or new: Value, _ change: (inout Value) -> Void) {
        lastNumber += 1
        var value = entries[key]?.value ?? new
        change(&value)
        entries[key] = (value, lastNumber)
        if entries.count > FailedLogins.mostNames { dropOldest() }
    }

    mutating func remove(_ key: Int) { entries[key] = nil }

    private mutating func dropOldest() {
        let oldest = entries.min { $0.value.number < $1.value.number }
        if let oldest { entries[oldest.key] = nil }
    }
}
