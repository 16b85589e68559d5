import Protocol

/// The names that failed to sign in, whether or not there are such users. Five failures in a row
/// lock a name for 30 s; then it has five again.
///
/// Of a name only a hash is kept: people type passwords into the wrong field. And only so many
/// names are kept, the oldest go first: to make room for another try at one name, somebody has to
/// fail with 4,096 others, which takes longer than the lock.
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

    /// Texts that are the same to Unicode are one name. Of one that is longer than any name it can
    /// take seconds to find out what is the same, so its bytes count.
    private static func key(_ name: String) -> Int {
        guard name.utf8.count > PasswordChecker.longestName else { return name.hashValue }
        var hasher = Hasher()
        for byte in name.utf8 { hasher.combine(byte) }
        return hasher.finalize()
    }

    private mutating func dropOldest() {
        let oldest = entries.min { $0.value.number < $1.value.number }
        if let oldest { entries[oldest.key] = nil }
    }
}
