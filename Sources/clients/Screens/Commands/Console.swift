import BusdEventLoop
package import BusdOptions
import BusdProtocol
import Glibc

/// Standard output and standard error. Standard output is buffered until `flush`, which needs one
/// write if the reader is fast. Messages to standard error are written at once.
///
/// Writing waits for a slow reader. Meanwhile nothing is read from the daemon, which then leaves
/// out events and reports them with `gap`.
package final class Console {
    private enum State {
        case open
        /// The reader has closed the pipe. This is no failure.
        case closed
        case failed(SystemError)
    }

    /// For messages.
    private let program: String
    package let output: Int32
    private let errors: Int32
    private var bytes: [UInt8] = []
    private var state = State.open

    package init(
        of program: String, output: Int32 = STDOUT_FILENO, errors: Int32 = STDERR_FILENO
    ) {
        self.program = program
        self.output = output
        self.errors = errors
    }

    /// False after nothing more can be written.
    package var isOpen: Bool { if case .open = state { true } else { false } }

    /// - Parameter text: with its line feeds.
    package func put(_ text: String) { bytes += text.utf8 }

    package func put(lines: [String]) { for line in lines { put(line + "\n") } }

    /// Puts a line of JSON. Characters that a terminal would obey or hide are escaped.
    package func put(json: ArraySlice<UInt8>) {
        bytes += printable(json: json)
        bytes.append(UInt8(ascii: "\n"))
    }

    package func flush() {
        var rest = bytes[...]
        while isOpen, !rest.isEmpty { rest = rest.dropFirst(write(rest)) }
        bytes.removeAll(keepingCapacity: true)
    }

    /// Writes everything, and calls `then` when it is written. A signal that ends the process takes
    /// effect before the last write, or after `then`; never between them, and also while the reader
    /// is slow.
    package func flush(then: () -> Void) {
        var rest = bytes[...]
        bytes = []
        if rest.isEmpty, isOpen { then() }
        while isOpen, !rest.isEmpty {
            waitForRoom()
            var signals = HeldSignals()
            // So many bytes have room in a pipe.
            rest = rest.dropFirst(write(rest.prefix(Int(PIPE_BUF))))
            if rest.isEmpty { then() }
            signals.release()
        }
    }

    /// Writes the rest. Returns `status`, or `outputFailed` if output could not be written.
    package func finish(_ status: ExitStatus) -> ExitStatus {
        flush()
        guard case .failed(let error) = state else { return status }
        note("standard output: \(error.reason)")
        return .outputFailed
    }

    /// Writes a message to standard error, after the earlier standard output.
    package func writeError(_ text: String) {
        flush()
        let bytes = Array((text.printableLines + "\n").utf8)
        _ = Glibc.write(errors, bytes, bytes.count)
    }

    /// Writes a message of the program to standard error.
    package func note(_ text: String) { writeError("\(program): \(text)") }

    private func write(_ some: ArraySlice<UInt8>) -> Int {
        let count = some.withUnsafeBytes { Glibc.write(output, $0.baseAddress, $0.count) }
        if count >= 0 { return count }
        switch errno {
        case EINTR: break
        case EAGAIN: waitForRoom()
        case EPIPE: state = .closed
        default: state = .failed(SystemError(code: errno, function: "write"))
        }
        return 0
    }

    // Also needed if another program has left the terminal non-blocking.
    private func waitForRoom() {
        var entry = pollfd(fd: output, events: Int16(POLLOUT), revents: 0)
        while poll(&entry, 1, -1) < 0, errno == EINTR {}
    }
}
