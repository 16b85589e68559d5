import BusdProtocol

/// The time that this screen has last seen on a running clock. After a restart of the daemon it
/// tells where the clock would be.
struct RunningClock {
    private var seen: (tenths: Int, at: Instant)?

    /// Takes a complete update of the game.
    mutating func observe(_ state: ContainerState, at now: Instant) {
        if !state.isPaused {
            seen = tenths(ofClock: state.time).map { ($0, now) }
        } else if state.stopped == nil || state.isFinished {
            seen = nil
        }
    }

    /// Where the clock would be; nil if no restart has stopped it, or this screen has not seen it
    /// run.
    func time(of state: ContainerState, at now: Instant) -> String? {
        guard state.wasStopped, let seen else { return nil }
        return clockText(tenths: seen.tenths + Int((now - seen.at).microseconds / 100_000))
    }
}
