import CBusdSystem
import Glibc

/// Calls back in the loop after another thread has signalled it, once for any number of signals.
package final class Wakeup {
    private let descriptor: Descriptor
    private var event: DescriptorEvent?

    package init(loop: Loop, action: @escaping () -> Void) throws(SystemError) {
        let descriptor = Descriptor(file: try check("eventfd") { busd_eventfd() })
        self.descriptor = descriptor
        let event = DescriptorEvent(loop: loop, descriptor: descriptor.number) { _ in
            var count: UInt64 = 0
            _ = withUnsafeMutableBytes(of: &count) { descriptor.read(into: $0) }
            action()
        }
        try event.watch(for: .readable)
        self.event = event
    }

    /// Signals the loop, from any thread, for as long as this object lives.
    package var signal: @Sendable () -> Void {
        let number = descriptor.number
        return {
            var one: UInt64 = 1
            // If the counter is full, the loop has not read it yet, so it is awake anyway.
            _ = write(number, &one, MemoryLayout<UInt64>.size)
        }
    }
}
