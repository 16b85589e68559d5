import BusdProtocol

/// A digest of the effects of each 1,024 entries, so that daemons notice if their states differ.
struct OutcomeDigest {
    static let interval = 1_024

    private var hash = FNV1a()
    /// False in the first interval, if the daemon has begun within it.
    private var isComplete: Bool

    init(after position: Int) { isComplete = position.isMultiple(of: Self.interval) }

    /// Returns the digest at the end of an interval.
    mutating func add(_ applied: AppliedEntry) -> (number: Int, text: String)? {
        hash.add("\(applied.entry.number) \(applied.entry.id) \(applied.hadEffect) ".utf8)
        hash.add(applied.summary)
        guard applied.entry.number.isMultiple(of: Self.interval) else { return nil }
        defer { (hash, isComplete) = (FNV1a(), true) }
        return isComplete ? (applied.entry.number, hexadecimal(hash.value)) : nil
    }
}
