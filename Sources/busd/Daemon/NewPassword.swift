import BusdEventLoop
import BusdProtocol
import CBusdSystem
import Glibc

/// The new user's password. A terminal prompts for it twice without echo; otherwise it is the first
/// line of standard input.
struct NewPassword {
    /// Bytes. A longer password could not be sent to sign in.
    static let longest = Secret.mostBytes

    private let input: Int32

    static func read(for name: String) throws -> Secret {
        let source = NewPassword(input: STDIN_FILENO)
        guard isatty(source.input) == 1 else { return try source.readLine() }
        return try source.withoutEcho {
            let password = try source.ask("Password of \(name.printable): ")
            guard try source.ask("Repeat the password: ") == password else {
                throw StartError("the passwords do not match")
            }
            return password
        }
    }

    // MARK: In a terminal

    private func ask(_ question: String) throws -> Secret {
        defer { writeToTerminal("\n") }
        try awaitLine(after: question)
        return try readLine()
    }

    /// Throws after a signal, so that the terminal gets its echo back.
    private func awaitLine(after question: String) throws {
        let loop = try Loop()
        var (hasInput, isOver) = (false, false)
        let signals = try [SIGINT, SIGTERM, SIGHUP].map { signal in
            try SignalEvent(loop: loop, signal: signal) { isOver = true }
        }
        let event = DescriptorEvent(loop: loop, descriptor: input) { _ in hasInput = true }
        try event.watch(for: .readable)
        writeToTerminal(question)
        withExtendedLifetime(signals) {
            while !hasInput, !isOver { loop.turn(block: true) }
        }
        if isOver { throw StartError("no password was given") }
    }

    private func withoutEcho<Result>(_ body: () throws -> Result) throws -> Result {
        var before = termios()
        try check("tcgetattr") { tcgetattr(input, &before) }
        var hidden = before
        hidden.c_lflag &= ~tcflag_t(ECHO)  // fits: it is a constant
        // A signal without a handler must not leave the terminal without echo.
        _ = busd_guard_terminal(input)
        defer { busd_unguard_terminal() }
        try check("tcsetattr") { tcsetattr(input, TCSADRAIN, &hidden) }
        defer { tcsetattr(input, TCSADRAIN, &before) }
        return try body()
    }

    private func writeToTerminal(_ text: String) {
        let bytes = Array(text.utf8)
        _ = write(STDERR_FILENO, bytes, bytes.count)
    }

    // MARK: A line

    /// Reads a line, without its LF and the CR before it.
    private func readLine() throws -> Secret {
        // With room for CR, LF and one byte too many.
        let line = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: Self.longest + 3)
        defer {
            UnsafeMutableRawBufferPointer(line).wipe()
            line.deallocate()
        }
        var password = line[..<(try fill(line))]
        if let end = password.firstIndex(of: .lineFeed) {
            password = password[..<end]
            if password.last == .carriageReturn { password = password.dropLast() }
        }
        if let problem = Self.problem(of: UnsafeMutableBufferPointer(rebasing: password)) {
            throw StartError("the password \(problem)")
        }
        return Secret(password)
    }

    /// Reads until the end of a line or of the input. Returns the number of bytes.
    private func fill(_ line: UnsafeMutableBufferPointer<UInt8>) throws -> Int {
        var count = 0
        while count < line.count, !line[..<count].contains(.lineFeed) {
            let room = line[count...]
            let more = try check("read") {
                Glibc.read(
                    input, UnsafeMutableBufferPointer(rebasing: room).baseAddress, room.count)
            }
            if more == 0 { break }
            count += more
        }
        return count
    }

    private static func problem(of bytes: UnsafeMutableBufferPointer<UInt8>) -> String? {
        if bytes.isEmpty { return "is empty" }
        if bytes.count > longest { return "has more than \(longest) bytes" }
        let isText = (try? UTF8Span(validating: bytes.span)) != nil && !bytes.contains(0)
        return isText ? nil : "is not text"
    }
}
