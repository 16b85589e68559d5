import BusdClient
import BusdEventLoop
import BusdFiles
import Glibc

/// A daemon with a store in memory and a clock that stands still, for one transcript. Ctrl-C waits
/// until it has ended and its folder is removed.
final class TestDaemon {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private var signals = HeldSignals()
    private var hasEnded = false
    /// A signal has arrived, and takes effect at the end.
    var isInterrupted: Bool { signals.isPending }
    private let folder: String
    private let process: ChildProcess
    private let errors: Descriptor
    private var socket: String { Self.socket(in: folder) }

    init(_ program: String) throws(Failure) {
        var template = Array("\(Self.temporaryFolder)/viewctl-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            signals.release()
            throw Failure(
                description: "\(Self.temporaryFolder): \(String(cString: strerror(errno)))")
        }
        folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        errors = Descriptor(file: open("\(folder)/errors", O_RDWR | O_CREAT | O_CLOEXEC, 0o600))
        do throws(SystemError) {
            process = try ChildProcess(
                [
                    program, "--socket", Self.socket(in: folder), "--state", ":memory:",
                    "--clock", "manual",
                ], stream: Descriptor(file: open("/dev/null", O_RDWR | O_CLOEXEC)),
                errors: errors, hasTerminal: true)
        } catch {
            Self.remove(folder)
            signals.release()
            throw Failure(description: "\(program): \(error.reason)")
        }
    }

    deinit { end() }

    /// Ends the daemon and removes its folder. A signal that has arrived then ends this process.
    func end() {
        guard !hasEnded else { return }
        hasEnded = true
        process.end()
        Self.remove(folder)
        signals.release()
    }

    /// Connects as soon as the daemon listens.
    func connect() throws(Failure) -> Descriptor {
        for _ in 0..<2_000 where !isInterrupted {
            if case .connected(let socket) = connectUnix(path: socket) { return socket }
            if process.status(within: 5) != nil { break }
        }
        throw Failure(description: "the daemon does not start: \(report)")
    }

    /// What the daemon has written to standard error.
    private var report: String {
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = pread(errors.number, &bytes, bytes.count, 0)
        let text = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
        return text.split(separator: "\n").joined(separator: "; ")
    }

    private static func socket(in folder: String) -> String { folder + "/busd.sock" }

    private static var temporaryFolder: String {
        getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    }

    /// Removes the folder with all files, such as the sockets' locks, which a daemon leaves.
    private static func remove(_ folder: String) {
        let names = (try? OpenFolder(folder).names()) ?? []
        for name in names { unlink("\(folder)/\(name)") }
        rmdir(folder)
    }
}
