package import BusdEventLoop
import Glibc

extension Descriptor {
    @discardableResult
    package func write(_ text: String) -> Transfer {
        let bytes = Array(text.utf8)
        return bytes.withUnsafeBytes { write($0) }
    }

    /// Writes until nothing more fits. Returns the number of bytes written.
    package func fill() -> Int {
        let block = [UInt8](repeating: UInt8(ascii: "#"), count: 1 << 16)
        var total = 0
        while case .bytes(let count) = block.withUnsafeBytes({ write($0) }) { total += count }
        return total
    }

    /// Everything that can be read now, and whether the end is reached.
    package func readText() -> (text: String, isAtEnd: Bool) {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            switch buffer.withUnsafeMutableBytes({ read(into: $0) }) {
            case .bytes(let count): bytes += buffer[..<count]
            case .wouldBlock: return (String(decoding: bytes, as: UTF8.self), false)
            case .ended, .failed: return (String(decoding: bytes, as: UTF8.self), true)
            }
        }
    }

    /// The whole lines that can be read now.
    package func readLines() -> [String] {
        readText().text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            .map(String.init)
    }
}

/// A pipe. Neither reading nor writing waits.
package func openPipe() throws(SystemError) -> (output: Descriptor, input: Descriptor) {
    var ends: [Int32] = [-1, -1]
    try check("pipe") { pipe(&ends) }
    for end in ends { try check("fcntl") { fcntl(end, F_SETFL, O_NONBLOCK) } }
    return (Descriptor(file: ends[0]), Descriptor(file: ends[1]))
}

extension Loop {
    /// Turns until `condition` holds. Returns the number of turns; nil after a minute.
    package func turns(
        until condition: () -> Bool, by turn: (() -> Void)? = nil
    ) -> Int? {
        let deadline = LoopTimer(loop: self) {}
        deadline.arm(afterMicroseconds: 60_000_000)
        var turns = 0
        while !condition() {
            if !deadline.isArmed { return nil }
            if let turn { turn() } else { self.turn(block: true) }
            turns += 1
        }
        return turns
    }

    /// Turns until `condition` holds. False after a minute.
    package func turn(until condition: () -> Bool, by turn: (() -> Void)? = nil) -> Bool {
        turns(until: condition, by: turn) != nil
    }
}
