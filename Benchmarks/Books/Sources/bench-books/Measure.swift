/// Prints the median and the best time of the rounds. On a busy machine the best is more reliable.
func measure(_ name: String, rounds: Int = 31, _ body: () -> Void) {
    let clock = ContinuousClock()
    let times = (0..<rounds).map { _ in clock.measure(body) }.sorted()
    let padding = String(repeating: " ", count: max(0, 48 - name.count))
    print("\(name)\(padding)\(text(times[rounds / 2])) ms, at best \(text(times[0]))")
}

/// Milliseconds with three decimal places.
private func text(_ duration: Duration) -> String {
    let microseconds = duration.components.attoseconds / 1_000_000_000_000
    let total = duration.components.seconds * 1_000_000 + microseconds
    let fraction = String(total % 1000)
    return "\(total / 1000).\(String(repeating: "0", count: 3 - fraction.count))\(fraction)"
}

/// The same numbers each time (SplitMix64).
struct Dice: RandomNumberGenerator {
    private var state: UInt64 = 1

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
