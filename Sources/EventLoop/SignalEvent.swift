import CBusdLibevent

/// Calls back in the loop when the process gets a signal. Dropping it restores the signal's former
/// action. Only one loop of a process can receive signals at a time.
package final class SignalEvent: LoopEvent {
    private let action: () -> Void

    /// - Throws: `EINVAL` for a signal that cannot be caught.
    package init(loop: Loop, signal: Int32, action: @escaping () -> Void) throws(SystemError) {
        self.action = action
        super.init(loop: loop)
        assign(signal, EV_SIGNAL | EV_PERSIST)
        try add()
    }

    override func fire(_ what: Int32) { action() }
}
