import CBusdLibevent
import Glibc

/// One libevent base, turned by its owner:
///
///     while !stopped {
///         loop.turn(block: isIdle)
///         endOfTurn()
///     }
///
/// Callbacks only note what happened; the work is done at the end of the turn.
///
/// Nothing in this room is thread-safe: a loop and all that is made on it belong to the thread that
/// turns it.
package final class Loop {
    let base: OpaquePointer

    /// - Throws: if the kernel gives no descriptor for the event queue.
    package init() throws(SystemError) {
        Self.silenceLogging
        guard let configuration = event_config_new() else {
            throw SystemError(code: ENOMEM, function: "event_config_new")
        }
        defer { event_config_free(configuration) }
        event_config_set_flag(configuration, Self.flags)
        event_config_require_features(configuration, Int32(EV_FEATURE_ET.rawValue))
        guard let base = event_base_new_with_config(configuration) else {
            throw SystemError(code: errno, function: "event_base_new")
        }
        self.base = base
    }

    deinit { event_base_free(base) }

    /// One pass: waits until something is due (with `block: false` it does not wait), runs the
    /// callbacks of all that is due, and returns.
    package func turn(block: Bool) {
        // EVLOOP_NONBLOCK alone would loop for as long as a callback leaves something readable.
        let wait = block ? EVLOOP_NO_EXIT_ON_EMPTY : EVLOOP_NONBLOCK
        let status = event_base_loop(base, EVLOOP_ONCE | wait)
        precondition(  // holds: no other code has it
            status >= 0, "the loop's own descriptor was closed: \(errno)")
    }

    /// Microseconds of `CLOCK_MONOTONIC`, read afresh with each call.
    package func now() -> Int64 { MonotonicClock.microseconds }

    // No cached time, so that a timer counts from when it is armed, not from when the turn began.
    private static let flags =
        Int32(EVENT_BASE_FLAG_NOLOCK.rawValue)
        | Int32(EVENT_BASE_FLAG_NO_CACHE_TIME.rawValue)

    // Failures are returned as values, so libevent's warnings about them are dropped. Its fatal
    // errors are printed, because it ends the process after them.
    private static let silenceLogging: Void = event_set_log_callback { severity, message in
        guard severity == EVENT_LOG_ERR, let message else { return }
        let line = Array("libevent: \(String(cString: message))\n".utf8)
        _ = write(STDERR_FILENO, line, line.count)
    }
}
