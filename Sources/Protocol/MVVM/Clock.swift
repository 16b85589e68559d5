/// Time for a view model: spans, not the time of day.
public protocol Clock: AnyObject {
    /// The present time of the clock.
    var now: Instant { get }

    /// Calls `action` once, at `instant` or as soon after as the loop can. Dropping the returned
    /// value cancels the action. Actions that are due at the same instant run in the order in which
    /// they were scheduled.
    func schedule(at instant: Instant, _ action: @escaping () -> Void) -> ScheduledAction
}

extension Clock {
    /// Calls `action` once, when the span has passed; see `schedule(at:_:)`.
    public func schedule(after span: Duration, _ action: @escaping () -> Void) -> ScheduledAction {
        schedule(at: now + span, action)
    }
}

/// The services of a view model that needs time.
public protocol HasClock {
    /// The clock of the daemon; in tests, a `Timeline`.
    var clock: any Clock { get }
}

/// An action that a clock will run. It is cancelled when this object is released.
public final class ScheduledAction {
    private let cancel: () -> Void

    /// `cancel` is called when this object is released, also after the action has run.
    public init(cancel: @escaping () -> Void) { self.cancel = cancel }

    deinit { cancel() }
}
