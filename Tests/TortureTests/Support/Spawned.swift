import BusdEventLoop
import Glibc
import TestSupport
import Testing

/// A process that a test has started. It is killed when its `Spawned` is released.
final class Spawned {
    let pid: pid_t
    /// The lines of standard output and standard error that were read so far.
    private(set) var lines: [String] = []
    private let output: LineReader
    private var status: Int32?

    /// - Parameter passed: descriptors that the process gets as 3, 4, …
    init(_ words: [String], passing passed: [Descriptor] = []) throws {
        let (near, far) = try socketPair(waits: true)
        output = LineReader(near)
        let nothing = Descriptor(file: open("/dev/null", O_RDONLY | O_CLOEXEC))
        pid = try spawn(words, descriptors: [nothing, far, far] + passed)
    }

    deinit {
        signal(SIGKILL)
        _ = end()
    }

    /// Runs a program to its end. Returns whether its status was 0, and its lines.
    static func run(_ words: [String]) throws -> (isSuccess: Bool, lines: [String]) {
        let process = try Spawned(words)
        _ = try process.await(until: .deadline) { _ in false }
        return (process.end() == 0, process.lines)
    }

    func signal(_ number: Int32) {
        if status == nil { kill(pid, number) }
    }

    /// Waits for the end. Returns the exit status; 128 plus the signal's number if a signal ended
    /// the process.
    @discardableResult
    func end() -> Int32 {
        if let status { return status }
        let status = TestSupport.end(of: pid)
        self.status = status
        return status
    }

    /// Waits for a line; `nil` if the process ends first, or after `moment`.
    func await(until moment: Moment, _ isWanted: (String) -> Bool) throws -> String? {
        while let line = try output.line(within: moment.milliseconds) {
            lines.append(line)
            if isWanted(line) { return line }
        }
        return nil
    }
}
