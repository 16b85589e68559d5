import CBusdLibevent

/// A timer that fires once each time it is armed. Dropping it disarms it.
package final class LoopTimer: LoopEvent {
    package private(set) var isArmed = false
    private let action: () -> Void

    package init(loop: Loop, action: @escaping () -> Void) {
        self.action = action
        super.init(loop: loop)
        assign(-1, 0)
    }

    /// Fires in the first turn after this span, counted from now; at once for a span of 0 or less.
    /// The former time of an armed timer is replaced.
    package func arm(afterMicroseconds delay: Int64) {
        do {
            try add(afterMicroseconds: max(0, delay))
            isArmed = true
        } catch {
            preconditionFailure("out of memory")  // holds: Linux overcommits
        }
    }

    package func disarm() {
        remove()
        isArmed = false
    }

    override func fire(_ what: Int32) {
        isArmed = false
        action()
    }
}
