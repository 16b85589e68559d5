/// Pause after consecutive failures: 10 ms, doubled each time up to 100 ms. A client that connects
/// in the meantime waits this long for its refusal.
struct BackOff {
    private var microseconds: Int64 = 10_000

    mutating func next() -> Int64 {
        defer { microseconds = min(2 * microseconds, 100_000) }
        return microseconds
    }
}
