import BusdFiles
import BusdHosting
import BusdProtocol
import Glibc

/// Measurements of the process.
final class ProcessMetrics: HasProcessMetrics {
    private var longestTurn: Int64 = 0
    private let pageSize = sysconf(Int32(clamping: _SC_PAGESIZE))

    /// Call this after each turn of the loop.
    func turnTook(microseconds: Int64) { longestTurn = max(longestTurn, microseconds) }

    /// The longest turn since the last call.
    var loopLagMilliseconds: Double {
        defer { longestTurn = 0 }
        return Double(longestTurn) / 1_000
    }

    /// The second number of /proc/self/statm, in bytes; 0 if it cannot be read.
    var memory: Int {
        let text = (try? readFile("/proc/self/statm")) ?? []
        let numbers = String(decoding: text, as: UTF8.self)
            .split(separator: " ")  // text: the kernel's
        guard numbers.count > 1, let pages = Int(peer: numbers[1]) else { return 0 }
        return pages * pageSize  // fits: it is what the machine has
    }
}
