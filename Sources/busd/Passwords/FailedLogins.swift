import Protocol

/// Names that failed to sign in, whether or not there are such users. Five failures in a row lock a
/// name for 30 s; then it has five tries again.
///
/// Only a hash of a name's bytes is kept, because people type passwords into the wrong field. At
/// most 4,096 names are kept, and the oldest goes first: an attacker who wants another try at one
/// name must fail with 4,096 others, which takes longer than the lock.
struct FailedLogins {
    static let mostInRow = 5
    static let lock: Duration = .seconds(30)
    static let mostNames = 4_096

    private struct Entry {
        var failures = 0
        /// The number of its last failure.
        var number = 0
        var lockedUntil: Instant?
    }

    private var entries: [Int: Entry] = [:]
    private var lastNumber = 0

    var count: Int { entries.count }

    func isLocked(_ name: String, at now: Instant) -> Bool {
        entries[Self.key(name)]?.lockedUntil.map { now < $0 } ?? false
    }

    mutating func failed(_ name: String, at now: Instant) {
        let key = Self.key(name)
        var entry = entries[key] ?? Entry()
        lastNumber += 1
        entry.number = lastNumber
        entry.failures += 1
        if entry.failures == Self.mostInRow {
            entry.failures = 0
            entry.lockedUntil = now + Self.lock
        }
        entries[key] = entry
        if entries.count > Self.mostNames { dropOldest() }
    }

    mutating func succeeded(_ name: String) { entries[Self.key(name)] = nil }

    private static func key(_ name: String) -> Int {
        var hasher = Hasher()
        hasher.combine(ExactText(name))
        return hasher.finalize()
    }

    private mutating func dropOldest() {
        let oldest = entries.min { $0.value.number < $1.value.number }
        if let oldest { entries[oldest.key] = nil }
    }
}
