import EventLoop
import Glibc
import Testing

/// A process that a test has started, and that does not outlive the test.
final class Child {
    struct Outcome: Equatable {
        /// What it exited with; 128 and the signal's number where a signal ended it.
        var status: Int32
        var output: String
        var errors: String

        /// It ended like this, and said just this.
        func expect(
            status: Int32 = 0, output: String = "", errors: String = "",
            sourceLocation: SourceLocation = #_sourceLocation
        ) {
            let expected = Outcome(status: status, output: output, errors: errors)
            #expect(self == expected, sourceLocation: sourceLocation)
        }
    }

    let output: LineReader
    let errors: LineReader
    /// Whom signals are for: the child, unless that only stands for another process.
    var pid: pid_t
    private let child: pid_t
    private var hasEnded = false

    /// - Parameters:
    ///   - words: a program, found in PATH, and its arguments.
    ///   - input: what it reads on standard input.
    ///   - environment: what it is told beside PATH and a folder of its own as HOME.
    init(_ words: [String], input: String = "", environment: [String: String] = [:]) throws {
        let program = try #require(words.first)
        let input = try Self.file(holding: input)
        let (output, outputEnd) = try Self.pipe()
        let (errors, errorsEnd) = try Self.pipe()
        self.output = LineReader(output)
        self.errors = LineReader(errors)

        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (number, end) in [input, outputEnd, errorsEnd].enumerated() {
            posix_spawn_file_actions_adddup2(&actions, end.number, Int32(number))
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
        let code = withCStrings(words) { arguments in
            withCStrings(Self.variables(environment)) { variables in
                posix_spawnp(&pid, program, &actions, &attributes, arguments, variables)
            }
        }
        self.pid = pid
        child = pid
        if code != 0 {
            hasEnded = true
            throw SystemError(code: code, function: "posix_spawnp \(program)")
        }
    }

    deinit {
        guard !hasEnded else { return }
        signal(SIGKILL)
        var status: Int32 = 0
        waitpid(child, &status, 0)
    }

    /// Runs a program to its end.
    static func run(
        _ words: String..., input: String = "", environment: [String: String] = [:]
    ) throws -> Outcome {
        try Child(words, input: input, environment: environment).outcome()
    }

    func signal(_ number: Int32) { kill(pid, number) }

    /// Waits until it has ended, and tells what it had to say since it was last read.
    func outcome() throws -> Outcome {
        let output = try self.output.rest()
        let errors = try self.errors.rest()
        var status: Int32 = 0
        waitpid(child, &status, 0)
        hasEnded = true
        let signal = status & 0x7f
        return Outcome(
            status: signal == 0 ? (status >> 8) & 0xff : 128 + signal, output: output,
            errors: errors)
    }

    private static func variables(_ given: [String: String]) -> [String] {
        var variables = ["HOME": "/nonexistent", "LC_ALL": "C.UTF-8"]
        for name in ["PATH", "LD_LIBRARY_PATH", "ASAN_OPTIONS", "TSAN_OPTIONS"] {
            if let value = getenv(name) { variables[name] = String(cString: value) }
        }
        return variables.merging(given) { $1 }.map { "\($0)=\($1)" }
    }

    // A pipe can't be close-on-exec from its first moment, and what another test starts just then
    // would hold it open.
    private static func pipe() throws -> (Descriptor, Descriptor) {
        var ends: [Int32] = [0, 0]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        try #require(socketpair(AF_UNIX, kind, 0, &ends) == 0)
        return (Descriptor(socket: ends[0]), Descriptor(socket: ends[1]))
    }

    private static func file(holding text: String) throws -> Descriptor {
        var path = Array("/tmp/busd-test-XXXXXX".utf8CString)
        let file = Descriptor(file: mkstemp(&path))
        unlink(path)
        let bytes = Array(text.utf8)
        try #require(write(file.number, bytes, bytes.count) == bytes.count)
        lseek(file.number, 0, SEEK_SET)
        return file
    }
}

private func withCStrings<Result>(
    _ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
) -> Result {
    let pointers: [UnsafeMutablePointer<CChar>?] = texts.map { strdup($0) }
    defer { for pointer in pointers { free(pointer) } }
    return body(pointers + [nil])
}
