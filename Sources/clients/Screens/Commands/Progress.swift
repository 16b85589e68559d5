import BusdEventLoop
import Glibc

/// The progress of an import or an export, in a line on standard error that is overwritten. It is
/// shown only on a terminal, and after one second.
package final class Progress {
    private let total: Int
    private let things: String
    private let isShown: Bool
    private let start = MonotonicClock.seconds
    private var last = ""

    package init(of total: Int, _ things: String, isShown: Bool = isatty(STDERR_FILENO) == 1) {
        self.total = total
        self.things = things
        self.isShown = isShown
    }

    package func show(_ count: Int) {
        guard isShown, MonotonicClock.seconds - start >= 1 else { return }
        replace(with: "\(count) of \(total) \(things)")
    }

    /// Clears the line.
    package func end() { if !last.isEmpty { replace(with: "") } }

    private func replace(with text: String) {
        let bytes = Array(Self.line(text, over: last).utf8)
        _ = write(STDERR_FILENO, bytes, bytes.count)
        last = text
    }

    /// The bytes that replace the text of the line.
    package static func line(_ text: String, over last: String) -> String {
        let rest = String(repeating: " ", count: max(0, last.count - text.count))
        return "\r" + text + rest + (text.isEmpty ? "\r" : "")
    }
}
