/// What a view model knows of time. Never the time of day: a timer counts spans.
public protocol Clock: AnyObject {
    var now: Instant { get }

    /// Calls `action` once, at `instant` or as soon after as the loop can. Dropping the timer
    /// cancels it. Timers that are due at the same instant fire in the order in which they were
    /// made.
    func schedule(at instant: Instant, _ action: @escaping () -> Void) -> Timer
}

extension Clock {
    public func schedule(after span: Duration, _ action: @escaping () -> Void) -> Timer {
        schedule(at: now + span, action)
    }
}

/// The services of a view model that needs time.
public protocol HasClock {
    var clock: any Clock { get }
}

/// A timer that has not fired, for as long as somebody holds it.
public final class Timer {
    private let cancel: () -> Void

    public init(cancel: @escaping () -> Void) { self.cancel = cancel }

    deinit { cancel() }
}
