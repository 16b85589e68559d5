import CBusdLibevent

/// Calls back in the loop when the process gets a signal. Dropping it brings the signal's former
/// action back. Only one loop of a process can hear signals at a time.
package final class SignalEvent: LoopEvent {
    private let action: () -> Void

    /// - Throws: `EINVAL` for a signal that nobody can catch.
    package init(loop: Loop, signal: Int32, action: @escaping () -> Void) throws(SystemError) {
        self.action = action
        super.init(loop: loop)
        assign(signal, EV_SIGNAL | EV_PERSIST)
        try add()
    }

    override func fire(_ what: Int32) { action() }
}
