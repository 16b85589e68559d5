import BusdEventLoop
import BusdProtocol
import Glibc

/// The standard error of ssh. Its lines go to this program's standard error, unless a screen uses
/// the terminal: then the last line is the reason of a lost connection.
///
/// The other machine may write there, too. So the lines are escaped for the terminal. ssh asks for
/// passwords on the terminal itself, not here.
final class SSHMessages {
    var isForwarding: Bool
    /// The last line that is not empty.
    private(set) var lastLine: String?
    /// In bytes; the rest of a longer line is another line. An escaped line fits into a pipe that
    /// poll(2) reports as writable: no byte becomes more than six, and a pipe takes 4,096.
    private static let longestLine = 600
    private static let readSize = 4_096
    /// More reads than the kernel needs for all that a socket holds.
    private static let mostReads = 64
    private let descriptor: Descriptor
    private var event: DescriptorEvent?
    /// The line that has not ended yet.
    private var line: [UInt8] = []

    init(_ loop: Loop, _ descriptor: Descriptor, isForwarding: Bool) throws(SystemError) {
        self.descriptor = descriptor
        self.isForwarding = isForwarding
        // One read in a turn, so that endless messages do not stop the loop.
        event = DescriptorEvent(loop: loop, descriptor: descriptor.number) { [weak self] _ in
            _ = self?.read()
        }
        try event?.watch(for: .readable)
    }

    // The event goes first: it must not outlive the descriptor.
    deinit { event = nil }

    /// Reads the messages that have arrived, after the end of ssh. The last line may have no line
    /// feed.
    func readRest() {
        for _ in 0..<Self.mostReads where !read() { break }
        endLine()
    }

    /// False if there was nothing to read.
    private func read() -> Bool {
        var buffer = [UInt8](repeating: 0, count: Self.readSize)
        switch buffer.withUnsafeMutableBytes({ descriptor.read(into: $0) }) {
        case .bytes(let count):
            for byte in buffer[..<count] { take(byte) }
            return true
        case .wouldBlock: return false
        case .ended, .failed:
            event = nil
            endLine()
            return false
        }
    }

    private func take(_ byte: UInt8) {
        if byte == UInt8(ascii: "\n") {
            if line.last == UInt8(ascii: "\r") { line.removeLast() }
            if line.isEmpty { forward("") } else { endLine() }
        } else {
            line.append(byte)
            if line.count == Self.longestLine { endLine() }
        }
    }

    private func endLine() {
        guard !line.isEmpty else { return }
        let text = String(decoding: line, as: UTF8.self)
        line = []
        lastLine = text
        forward(text)
    }

    /// Writes a line to standard error. Without room there it is left out: waiting for a reader
    /// would stop the loop.
    private func forward(_ text: String) {
        guard isForwarding else { return }
        var entry = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
        guard poll(&entry, 1, 0) > 0 else { return }
        let bytes = Array((text.printable + "\n").utf8)
        _ = write(STDERR_FILENO, bytes, bytes.count)
    }
}
