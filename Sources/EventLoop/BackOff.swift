/// How long to rest after failures in a row: 10 ms, then twice as long each time, up to 1 s.
struct BackOff {
    private var microseconds: Int64 = 10_000

    mutating func next() -> Int64 {
        defer { microseconds = min(2 * microseconds, 1_000_000) }
        return microseconds
    }
}
