import BusdEventLoop
import CBusdSystem
import Glibc

/// A daemon with a store in memory and a clock that stands still, for one transcript.
final class TestDaemon {
    struct Failure: Error {
        let message: String
    }

    private let folder: String
    private let process: pid_t
    private let errors: Descriptor
    private var hasEnded = false
    var socket: String { folder + "/busd.sock" }

    init(_ program: String) throws(Failure) {
        var template = Array("\(Self.temporaryFolder)/viewctl-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw Failure(message: "\(Self.temporaryFolder): \(String(cString: strerror(errno)))")
        }
        folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        errors = Descriptor(
            file: open("\(folder)/errors", O_RDWR | O_CREAT | O_CLOEXEC, 0o600))
        let words =
            [
                program, "--socket", folder + "/busd.sock", "--state", ":memory:", "--clock",
                "manual",
            ]
        // `process` is set only if there is one, because the end of this object kills it.
        do throws(SystemError) {
            process = try Self.start(words, errors)
        } catch {
            Self.remove(folder)
            throw Failure(message: "\(program): \(error.reason)")
        }
    }

    private static func start(
        _ words: [String], _ errors: Descriptor
    ) throws(SystemError) -> pid_t {
        let stream = Descriptor(file: open("/dev/null", O_RDWR | O_CLOEXEC))
        let strings: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { for string in strings { free(string) } }
        return try check("vfork") { busd_start(strings, stream.number, errors.number, 0) }
    }

    deinit {
        if !hasEnded {
            kill(process, SIGTERM)
            for _ in 0..<5_000 where waitpid(process, nil, WNOHANG) == 0 { poll(nil, 0, 1) }
            // It is no child any more, unless it ignores the signal.
            if waitpid(process, nil, WNOHANG) == 0 {
                kill(process, SIGKILL)
                waitpid(process, nil, 0)
            }
        }
        Self.remove(folder)
    }

    /// Connects as soon as the daemon listens.
    func connect() throws(Failure) -> Descriptor {
        for _ in 0..<10_000 {
            if case .connected(let socket) = connectUnix(path: socket) { return socket }
            var status: Int32 = 0
            hasEnded = waitpid(process, &status, WNOHANG) == process
            if hasEnded { break }
            poll(nil, 0, 1)
        }
        throw Failure(message: "the daemon does not start: \(report)")
    }

    /// What the daemon has written to standard error.
    private var report: String {
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = pread(errors.number, &bytes, bytes.count, 0)
        let text = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
        return text.split(separator: "\n").joined(separator: "; ")
    }

    private static var temporaryFolder: String {
        getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    }

    private static func remove(_ folder: String) {
        for name in ["busd.sock", "view.sock", "errors"] { unlink("\(folder)/\(name)") }
        rmdir(folder)
    }
}
