import BusdEventLoop
import CBusdSystem
import Glibc

/// A run of ssh(1). It does not outlive this object, nor the process (`busd_start`).
final class SSHProcess {
    private let id: pid_t
    private var hasEnded = false

    /// - Parameter hasTerminal: false: it can ask no question.
    init(
        _ words: [String], stream: Descriptor, errors: Descriptor, hasTerminal: Bool
    ) throws(SystemError) {
        let strings: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { for string in strings { free(string) } }
        id = try check("ssh") {
            busd_start(strings, stream.number, errors.number, hasTerminal ? 0 : 1)
        }
    }

    deinit { end() }

    /// Its exit status, 128 and the signal's number if a signal ended it; nil if it still runs
    /// after this time. It is known once.
    func status(within milliseconds: Int) -> Int32? {
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

    /// Ends it, and waits for its end. ssh needs some milliseconds; it then has restored the
    /// terminal, if it was asking for a password.
    func end() {
        guard !hasEnded else { return }
        kill(id, SIGTERM)
        kill(id, SIGCONT)
        if status(within: 1_000) != nil || hasEnded { return }
        kill(id, SIGKILL)
        _ = try? check("waitpid") { waitpid(id, nil, 0) }
        hasEnded = true
    }
}
