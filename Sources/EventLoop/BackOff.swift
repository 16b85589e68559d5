/// How long to rest after failures in a row: 10 ms, then twice as long each time, up to 100 ms: who
/// comes meanwhile waits so long to be told.
struct BackOff {
    private var microseconds: Int64 = 10_000

    mutating func next() -> Int64 {
        defer { microseconds = min(2 * microseconds, 100_000) }
        return microseconds
    }
}
