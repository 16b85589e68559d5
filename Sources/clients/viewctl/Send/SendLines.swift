import BusdClient
import BusdEventLoop
import BusdOptions
import BusdProtocol
import BusdScreens
import Glibc

/// `viewctl send -`: each line of standard input is an event.
struct SendLines: Command {
    static let name = Send.name
    static let verb = Send.verb

    let expectsChange: Bool

    init(_ arguments: Arguments) throws(UsageError) {
        expectsChange = arguments.has(Send.expectChangeOption)
        guard arguments.operands.count == 1 else {
            throw arguments.error("the events are in the lines of standard input")
        }
        for option in [Send.keyOption, Send.ifSeqOption, Send.ifDoneOption, Send.eventsOption]
        where arguments.has(option) {
            throw arguments.error("--\(option.name) is for one event")
        }
    }

    func run(_ settings: CommandSettings, _ console: Console) throws -> ExitStatus {
        try SendingLines(
            try settings.connection(), console, settings.form, expectsChange: expectsChange,
            within: settings.timeout ?? .seconds(5)
        ).run(from: STDIN_FILENO)
    }
}

/// A line of standard input: ADDRESS EVENT [PAYLOAD].
struct LineToSend {
    let address: Address
    let name: String
    /// The event as JSON.
    let event: [UInt8]

    struct Problem: Error {
        let message: String
    }

    init(_ line: ArraySlice<UInt8>) throws(Problem) {
        let words = line.split(maxSplits: 2, whereSeparator: Self.isSpace)
        guard !line.contains(0) else { throw Problem(message: "U+0000 is not allowed") }
        let first = String(decoding: words[0], as: UTF8.self)
        guard let address = Address(first) else {
            throw Problem(message: "'\(first.clipped)' is not an address")
        }
        guard words.count > 1 else { throw Problem(message: "the event is missing") }
        name = String(decoding: words[1], as: UTF8.self)
        self.address = address
        var payload = words.count > 2 ? Array(words[2].drop(while: Self.isSpace)) : []
        while payload.last.map(Self.isSpace) == true { payload.removeLast() }
        do throws(WireError) {
            event = try Send.event(name, payload: payload.isEmpty ? nil : payload)
        } catch {
            throw Problem(message: "the payload is not JSON: \(error.message)")
        }
    }

    static func isSpace(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r")
    }
}

/// Sends lines in their order. At most 128 wait for their answers, as many as the daemon handles of
/// one connection; then nothing is read.
final class SendingLines {
    private let connection: BusConnection
    private let session: Session
    private let console: Console
    private let form: OutputForm
    private let expectsChange: Bool
    private let timeout: Duration
    private var watch: ClientLoop.Watch?
    /// What was read and is not sent yet.
    private var unread: [UInt8] = []
    private var hasEnded = false
    private var lineCount = 0
    /// The rest of a line that is too long is left out.
    private var isSkipping = false
    private var waiting = 0
    private var waitingBytes = 0
    /// That of the first line that failed.
    private var failure: (line: Int, status: ExitStatus)?

    private static let mostWaiting = 128
    private static let mostWaitingBytes = 128 << 10
    private static let longestLine = Limits().line

    /// - Parameter timeout: for each answer; zero: none.
    init(
        _ connection: BusConnection, _ console: Console, _ form: OutputForm, expectsChange: Bool,
        within timeout: Duration
    ) {
        (self.connection, self.console, self.form) = (connection, console, form)
        session = Session(connection, within: .total(.zero))
        self.expectsChange = expectsChange
        self.timeout = timeout == .zero ? .forever : timeout
    }

    func run(from input: Int32) throws -> ExitStatus {
        do {
            return try session.wait { try turn(input) }
        } catch RequestFailure.lost(let loss) {
            console.note(loss.advice)
            return failure?.status ?? ExitStatus(loss)
        }
    }

    /// The status at the end of the input, after the last answer.
    private func turn(_ input: Int32) throws -> ExitStatus? {
        guard !session.hasEnded else { return nil }
        if connection.wasConnected { sendLines() }
        console.flush()
        if hasEnded, waiting == 0, unread.isEmpty { return failure?.status ?? .done }
        if hasEnded || !hasRoom || !connection.wasConnected {
            watch = nil
        } else if watch == nil {
            watch = try connection.loop.whenReadable(input) { [weak self] in self?.read(input) }
        }
        return nil
    }

    private func read(_ input: Int32) {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = Glibc.read(input, &buffer, buffer.count)
        if count < 0, errno == EAGAIN || errno == EINTR { return }
        if count < 0 {
            failed(lineCount + 1, .badInput, "standard input: \(String(cString: strerror(errno)))")
        }
        if count <= 0 { hasEnded = true }
        unread += buffer.prefix(max(0, count))
    }

    // MARK: Lines

    private var hasRoom: Bool {
        waiting < Self.mostWaiting && waitingBytes < Self.mostWaitingBytes
    }

    private func sendLines() {
        var rest = unread[...]
        while hasRoom, !rest.isEmpty {
            let end = rest.firstIndex(of: UInt8(ascii: "\n"))
            guard end != nil || hasEnded || rest.count > Self.longestLine else { break }
            let line = rest[..<(end ?? rest.endIndex)]
            rest = end.map { rest[($0 + 1)...] } ?? []
            if !isSkipping {
                lineCount += 1
                send(line)
            }
            isSkipping = end == nil
        }
        unread = Array(rest)
    }

    private func send(_ line: ArraySlice<UInt8>) {
        guard !line.allSatisfy(LineToSend.isSpace) else { return }
        let number = lineCount
        guard line.count <= Self.longestLine else {
            return failed(number, .usage, "the line has more than \(Self.longestLine) bytes")
        }
        do throws(LineToSend.Problem) {
            let line = try LineToSend(line)
            waiting += 1
            waitingBytes += line.event.count
            connection.send(line.event, to: line.address, within: timeout) { [weak self] answer in
                guard let self else { return }
                waiting -= 1
                waitingBytes -= line.event.count
                answered(answer, number, line)
            }
        } catch {
            failed(number, .usage, error.message)
        }
    }

    private func answered(_ answer: BusConnection.Answer, _ number: Int, _ line: LineToSend) {
        switch answer {
        case .success(let ok):
            console.put(ok, form) { [Send.text(ok, $0)] }
            if Send.status(after: ok, expectsChange: expectsChange) == .unchanged {
                failed(number, .unchanged, "\(line.address) \(line.name): nothing has changed")
            }
        case .failure(.refused(let error)):
            failed(
                number, ExitStatus(refusedWith: error.code),
                "\(line.address) \(line.name): \(error.message) (\(error.code.rawValue))")
        case .failure(.lost(let loss)):
            failed(number, ExitStatus(loss), "\(line.address) \(line.name): \(loss)")
        case .failure(.timedOut):
            if let loss = connection.loss { return answered(.failure(.lost(loss)), number, line) }
            failed(number, .timedOut, "\(line.address) \(line.name): no answer in time")
        }
    }

    private func failed(_ number: Int, _ status: ExitStatus, _ message: String) {
        if failure.map({ number < $0.line }) ?? true { failure = (number, status) }
        console.note("line \(number): \(message)")
    }
}
