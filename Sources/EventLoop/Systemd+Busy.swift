import CBusdSystem
import Glibc

extension Systemd {
    /// Runs `work`, which may take minutes before the loop runs. Meanwhile another thread tells
    /// systemd that the service is alive, so that it is not killed.
    package func whileBusy<Value>(_ work: () throws -> Value) throws -> Value {
        guard notifySocket != nil else { return try work() }
        let end = Descriptor(file: try check("eventfd") { busd_eventfd() })
        let number = end.number
        let thread = try ServiceThread {
            while !Wait.forReadable(number, milliseconds: 1_000) {
                // Without systemd's answer there is nothing to do: the loop reports the failure.
                try? notify("WATCHDOG=1\nEXTEND_TIMEOUT_USEC=30000000")
            }
        }
        defer {
            var one: UInt64 = 1
            _ = write(number, &one, MemoryLayout<UInt64>.size)
            thread.join()
        }
        return try work()
    }
}
