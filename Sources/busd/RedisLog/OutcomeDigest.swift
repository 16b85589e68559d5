import BusdProtocol

/// A digest of the effects of each 1,024 entries, so that daemons notice if their states differ.
struct OutcomeDigest {
    static let interval = 1_024

    private var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    /// False in the first interval, if the daemon has begun within it.
    private var isComplete: Bool

    init(after position: Int) { isComplete = position.isMultiple(of: Self.interval) }

    /// Returns the digest at the end of an interval.
    mutating func add(_ applied: AppliedEntry) -> (number: Int, text: String)? {
        add("\(applied.entry.number) \(applied.entry.id) \(applied.hadEffect) ".utf8)
        add(applied.summary)
        guard applied.entry.number.isMultiple(of: Self.interval) else { return nil }
        defer { (hash, isComplete) = (0xcbf2_9ce4_8422_2325, true) }
        return isComplete ? (applied.entry.number, hexadecimal(hash)) : nil
    }

    /// FNV-1a.
    private mutating func add(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { hash = (hash ^ UInt64(widening: byte)) &* 0x100_0000_01b3 }
    }
}
