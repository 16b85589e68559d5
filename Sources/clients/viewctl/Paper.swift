import BusdEventLoop
import BusdOptions
import BusdProtocol
import Glibc

/// Standard output and standard error. What was put on the former goes out whole with `flush`, in
/// one write where that will do; a complaint goes out at once.
///
/// It waits for a slow reader: meanwhile nothing is read from the bus, which then leaves events out
/// and says so with `gap`.
final class Paper {
    private enum State {
        case open
        /// Nobody reads any more. That is no failure.
        case closed
        case failed(SystemError)
    }

    let output: Int32
    private let errors: Int32
    private var bytes: [UInt8] = []
    private var state = State.open

    init(output: Int32 = STDOUT_FILENO, errors: Int32 = STDERR_FILENO) {
        self.output = output
        self.errors = errors
    }

    /// False once nothing can be written any more.
    var isOpen: Bool { if case .open = state { true } else { false } }

    /// Text with all its line feeds.
    func put(_ text: String) { bytes += text.utf8 }

    func put(lines: [String]) { for line in lines { put(line + "\n") } }

    /// A line of JSON: what a terminal would obey or hide is escaped in it.
    func put(json: ArraySlice<UInt8>) {
        bytes += printable(json: json)
        bytes.append(UInt8(ascii: "\n"))
    }

    func flush() {
        var rest = bytes[...]
        while isOpen, !rest.isEmpty { rest = rest.dropFirst(write(rest)) }
        bytes.removeAll(keepingCapacity: true)
    }

    /// Writes what is left. The status is `status`, or why it could not be written.
    func finish(_ status: ExitStatus) -> ExitStatus {
        flush()
        guard case .failed(let error) = state else { return status }
        complain("viewctl: standard output: \(error.reason)")
        return .outputFailed
    }

    /// Says it on standard error, after what was put on standard output before.
    func complain(_ text: String) {
        flush()
        let bytes = Array((text.printableLines + "\n").utf8)
        _ = Glibc.write(errors, bytes, bytes.count)
    }

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

    // A terminal that another program left non-blocking.
    private func waitForRoom() {
        var entry = pollfd(fd: output, events: Int16(POLLOUT), revents: 0)
        poll(&entry, 1, -1)
    }
}
