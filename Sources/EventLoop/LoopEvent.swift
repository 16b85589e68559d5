import CBusdLibevent
import Glibc

/// One libevent event of any kind. Dropping it cancels it, also from inside its own callback.
package class LoopEvent {
    let loop: Loop
    private let handle: OpaquePointer

    init(loop: Loop) {
        guard let handle = event_new(loop.base, -1, 0, nil, nil) else {
            preconditionFailure("out of memory")  // holds: Linux overcommits
        }
        self.loop = loop
        self.handle = handle
    }

    deinit { event_free(handle) }

    /// Overridden by each kind; `what` holds libevent's `EV_…` flags.
    func fire(_ what: Int32) {}

    /// Sets the descriptor and the flags. The event stays dormant until `add`.
    final func assign(_ descriptor: Int32, _ flags: Int32) {
        remove()
        let status = event_assign(
            handle, loop.base, descriptor, Int16(truncatingIfNeeded: flags), Trampoline.call,
            Trampoline.context(of: self))
        precondition(  // holds: they are constants
            status == 0, "libevent refuses the flags \(flags)")
    }

    final func add(afterMicroseconds delay: Int64? = nil) throws(SystemError) {
        errno = 0
        let status: Int32
        if let delay {
            let (seconds, rest) = delay.quotientAndRemainder(dividingBy: 1_000_000)
            var time = timeval(tv_sec: Int(seconds), tv_usec: Int(rest))  // fits: all have 64 bits
            status = event_add(handle, &time)
        } else {
            status = event_add(handle, nil)
        }
        if status != 0 { throw SystemError(code: errno, function: "event_add") }
    }

    final func remove() { event_del(handle) }
}
