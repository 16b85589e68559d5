import BusdEventLoop
import Glibc
import TestSupport
import Testing

/// A process that a test has started. It is killed when its `Child` is released.
final class Child {
    struct Outcome: Equatable {
        /// The exit status; 128 plus the signal's number if a signal ended the process.
        var status: Int32
        var output: String
        var errors: String

        /// Expects exactly this status and these texts.
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
    /// The process that gets signals: the child, or the process that it represents.
    var pid: pid_t
    private let child: pid_t
    private var hasEnded = false

    /// - Parameters:
    ///   - words: a program, found in PATH, and its arguments.
    ///   - input: all of its standard input.
    ///   - environment: variables beside those of `spawn`.
    init(_ words: [String], input: String = "", environment: [String: String] = [:]) throws {
        let input = try Self.file(holding: input)
        let (output, outputEnd) = try socketPair(waits: true)
        let (errors, errorsEnd) = try socketPair(waits: true)
        self.output = LineReader(output)
        self.errors = LineReader(errors)

        child = try spawn(
            words, descriptors: [input, outputEnd, errorsEnd], environment: environment)
        pid = child
    }

    deinit {
        guard !hasEnded else { return }
        signal(SIGKILL)
        _ = end(of: child)
    }

    /// Runs a program to its end.
    static func run(
        _ words: String..., input: String = "", environment: [String: String] = [:]
    ) throws -> Outcome {
        try Child(words, input: input, environment: environment).outcome()
    }

    func signal(_ number: Int32) { kill(pid, number) }

    /// Waits for its end. Returns the output that was not read before.
    func outcome() throws -> Outcome {
        let output = try self.output.rest()
        let errors = try self.errors.rest()
        hasEnded = true
        return Outcome(status: end(of: child), output: output, errors: errors)
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
