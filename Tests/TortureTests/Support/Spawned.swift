import EventLoop
import Glibc
import Testing

/// A process that a test has started, and that does not outlive the test.
final class Spawned {
    let pid: pid_t
    /// What it has said on standard error so far, line by line.
    private(set) var said: [String] = []
    private var unfinished: [UInt8] = []
    private let errors: Descriptor
    private var status: Int32?

    /// - Parameter passed: descriptors that it finds as 3, 4, …
    init(_ words: [String], passing passed: [Int32] = []) throws {
        let program = try #require(words.first)
        var ends: [Int32] = [0, 0]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        try #require(socketpair(AF_UNIX, kind, 0, &ends) == 0)
        errors = Descriptor(socket: ends[0])
        let end = Descriptor(socket: ends[1])
        _ = fcntl(errors.number, F_SETFL, O_NONBLOCK)

        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, end.number, 1)
        posix_spawn_file_actions_adddup2(&actions, end.number, 2)
        for (index, descriptor) in passed.enumerated() {
            posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(3 + index))
        }

        // A thread of the tests blocks signals, and its children would too.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))

        var pid: pid_t = 0
        let arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        let code = posix_spawnp(&pid, program, &actions, &attributes, arguments, environ)
        self.pid = pid
        guard code == 0 else {
            status = 0
            throw SystemError(code: code, function: "posix_spawnp \(program)")
        }
    }

    deinit {
        signal(SIGKILL)
        _ = end()
    }

    /// Runs a program to its end. Whether it went well, and what it said.
    static func run(_ words: [String]) throws -> (isWell: Bool, said: [String]) {
        let process = try Spawned(words)
        _ = try process.await(until: .deadline) { _ in false }
        return (process.end() == 0, process.said)
    }

    func signal(_ number: Int32) {
        if status == nil { kill(pid, number) }
    }

    /// Waits until it has ended: what it exited with, 128 and the signal's number where a signal
    /// ended it.
    @discardableResult
    func end() -> Int32 {
        if let status { return status }
        var raw: Int32 = 0
        waitpid(pid, &raw, 0)
        let signal = raw & 0x7f
        let status = signal == 0 ? (raw >> 8) & 0xff : 128 + signal
        self.status = status
        return status
    }

    /// Waits for a line on standard error; `nil` when it has ended, or that moment has come.
    func await(until moment: Moment, _ isWanted: (String) -> Bool) throws -> String? {
        while true {
            while let line = takeLine() {
                said.append(line)
                if isWanted(line) { return line }
            }
            guard Wait.forReadable(errors.number, milliseconds: moment.milliseconds) else {
                return nil
            }
            var buffer = [UInt8](repeating: 0, count: 4_096)
            switch buffer.withUnsafeMutableBytes({ errors.read(into: $0) }) {
            case .bytes(let count): unfinished += buffer[..<count]
            case .wouldBlock: break
            case .ended, .failed: return nil
            }
        }
    }

    private func takeLine() -> String? {
        guard let end = unfinished.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
        defer { unfinished.removeFirst(end + 1) }
        return String(decoding: unfinished[..<end], as: UTF8.self)
    }
}
