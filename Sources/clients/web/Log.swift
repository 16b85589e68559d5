import BusdProtocol
import Glibc

/// Lines for the operator, on standard error.
enum Log {
    static func write(_ text: String) { write(lines: "busd-web: \(text.printable)") }

    /// Lines that are safe for a terminal.
    static func write(lines: String) {
        let bytes = Array("\(lines)\n".utf8)
        _ = Glibc.write(STDERR_FILENO, bytes, bytes.count)
    }
}
