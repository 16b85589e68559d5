import Protocol

/// Failures to sign in, whether or not there are such users.
///
/// Five failures in a row lock a name for 30 s, for the uid that they came from: so nobody locks
/// another user of the machine out. Someone with many uids gets no further by them: 25 failures
/// within 30 s, from whatever uids, lock the name for every uid that has not signed in with it.
///
/// Only hashes of names are kept, because people type passwords into the wrong field. At most 4,096
/// names are kept, and as many names with a uid; the oldest go first. To make room for another try
/// at one name, 4,096 others have to fail, which takes longer than the lock.
struct FailedLogins {
    static let mostInRow = 5
    static let mostOfAll = 25
    static let lock: Duration = .seconds(30)
    static let mostNames = 4_096

    private struct Entry {
        /// In a row of one uid, else since `start`.
        var failures = 0
        var start = Instant(microseconds: .min)
        var lockedUntil: Instant?
        /// A check of this name and uid was right.
        var hasSucceeded = false
        /// Number of the last check that changed this.
        var number = 0

        func isLocked(at now: Instant) -> Bool { lockedUntil.map { now < $0 } ?? false }

        mutating func failed(most: Int, at now: Instant) {
            failures += 1
            guard failures == most else { return }
            failures = 0
            lockedUntil = now + FailedLogins.lock
        }
    }

    private struct Table {
        var entries: [Int: Entry] = [:]

        mutating func change(_ key: Int, _ number: Int, _ change: (inout Entry) -> Void) {
            var entry = entries[key] ?? Entry()
            entry.number = number
            change(&entry)
            entries[key] = entry
            if entries.count > FailedLogins.mostNames { dropOldest() }
        }

        private mutating func dropOldest() {
            let oldest = entries.min { $0.value.number < $1.value.number }
            if let oldest { entries[oldest.key] = nil }
        }
    }

    private var ofUsers = Table()
    private var ofAll = Table()
    private var lastNumber = 0

    var count: Int { max(ofUsers.entries.count, ofAll.entries.count) }

    func isLocked(_ name: String, for uid: Int?, at now: Instant) -> Bool {
        let own = ofUsers.entries[Self.key(name, uid)]
        if let own, own.isLocked(at: now) || own.hasSucceeded { return own.isLocked(at: now) }
        return ofAll.entries[Self.key(name)]?.isLocked(at: now) ?? false
    }

    mutating func failed(_ name: String, for uid: Int?, at now: Instant) {
        lastNumber += 1
        ofUsers.change(Self.key(name, uid), lastNumber) { $0.failed(most: Self.mostInRow, at: now) }
        ofAll.change(Self.key(name), lastNumber) { entry in
            if now >= entry.start + Self.lock { (entry.start, entry.failures) = (now, 0) }
            entry.failed(most: Self.mostOfAll, at: now)
        }
    }

    mutating func succeeded(_ name: String, for uid: Int?) {
        lastNumber += 1
        ofUsers.change(Self.key(name, uid), lastNumber) { entry in
            entry.failures = 0
            entry.hasSucceeded = true
        }
    }

    private static func key(_ name: String, _ uid: Int?? = nil) -> Int {
        var hasher = Hasher()
        hasher.combine(uid)
        hasher.combine(ExactText(name))
        return hasher.finalize()
    }
}
