package import BusdEventLoop
import CBusdSystem
import Glibc

/// A run of another program. It ends with this object, and with this process (`busd_start`).
package final class ChildProcess {
    private let id: pid_t
    private var hasEnded = false

    /// - Parameters:
    ///   - words: a program, found in PATH, and its arguments.
    ///   - stream: its standard input and output.
    ///   - hasTerminal: false: it cannot ask questions.
    package init(
        _ words: [String], stream: Descriptor, errors: Descriptor, hasTerminal: Bool
    ) throws(SystemError) {
        let strings: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { for string in strings { free(string) } }
        id = try check("vfork") {
            busd_start(strings, stream.number, errors.number, hasTerminal ? 0 : 1)
        }
    }

    deinit { end() }

    /// The exit status, or 128 plus the number of the signal that ended it. Nil if it still runs
    /// after this time. Later calls return nil.
    package func status(within milliseconds: Int) -> Int32? {
        guard !hasEnded else { return nil }
        var left = milliseconds
        var status: Int32 = 0
        while true {
            let found = waitpid(id, &status, WNOHANG)
            if found == id { break }
            if found < 0, errno != EINTR {
                hasEnded = true
                return nil
            }
            if left <= 0 { return nil }
            poll(nil, 0, 5)
            left -= 5
        }
        hasEnded = true
        let signal = status & 0x7F
        return signal == 0 ? (status >> 8) & 0xFF : 128 | signal
    }

    /// Ends it and waits for its end, which takes some milliseconds. If ssh was asking for a
    /// password, it restores the terminal first.
    package func end() {
        guard !hasEnded else { return }
        kill(id, SIGTERM)
        kill(id, SIGCONT)
        if status(within: 1_000) != nil || hasEnded { return }
        kill(id, SIGKILL)
        _ = try? check("waitpid") { waitpid(id, nil, 0) }
        hasEnded = true
    }
}
