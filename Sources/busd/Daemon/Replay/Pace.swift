import BusdProtocol

/// How the time of a replay follows the time of the loop, in microseconds.
struct Pace {
    /// The speed of 1 is that of the game.
    let speed: Double
    /// The time of the replay at `since`.
    private var base: Instant
    /// The time of the loop; `nil`: the replay stands.
    private var since: Int64?

    init(speed: Double, from base: Instant) { (self.speed, self.base) = (speed, base) }

    var isPaused: Bool { since == nil }

    func time(at now: Int64) -> Instant {
        guard let since else { return base }
        let span = Double(now &- since) * speed  // fits: a Double does
        return base + .microseconds(Int64(min(max(0, span), Self.longest)))  // fits: it is bounded
    }

    /// Microseconds until the replay has this time; `nil`: it stands.
    func delay(until due: Instant, at now: Int64) -> Int64? {
        guard !isPaused else { return nil }
        let span = Double((due - time(at: now)).microseconds) / speed  // fits: it is not 0
        return Int64(min(max(0, span.rounded(.up)), Self.longest))  // fits: it is bounded
    }

    mutating func stand(at time: Instant) { (base, since) = (time, nil) }
    mutating func run(from time: Instant, at now: Int64) { (base, since) = (time, now) }

    /// Goes on from another time, at the same speed or standing.
    mutating func jump(to time: Instant, at now: Int64) {
        (base, since) = (time, since == nil ? nil : now)
    }

    private static let longest = 1e15
}
