package import BusdClient
import BusdProtocol
import BusdTerminal
import Glibc

/// The purpose of a run without a screen.
package enum Purpose {
    /// Prints the current state, then ends.
    case answer
    /// Prints changes until a result is known, then ends. Standard input is not read.
    case result
    /// Prints changes until standard input or output is closed.
    case news
}

// `--timeout` limits the whole run. Without it, only the first values must arrive within five
// seconds. If standard input ends before the first values, the run prints them and ends, so `true |
// books` prints the library.

/// A run without a screen. It may use several connections, one after the other.
package final class PlainRun {
    package let connection: BusConnection
    private let name: String
    private let purpose: Purpose
    private let givenTimeout: Duration?
    private let session: Session
    /// The limit is the default one, which ends with the first values.
    private let isLimitForStart: Bool
    private let input: StandardInput
    private let readsCommands: Bool
    private var commands: [String] = []
    /// Commands without an answer.
    private var unanswered = 0
    private var hasPrintedValues = false
    private var hasInputEnded = false
    private var start: (() -> Void)?

    /// - Parameter readsCommands: each line of standard input is a command; see `onCommand`.
    package init(
        _ name: String, _ client: ClientSettings, _ loop: ClientLoop, for purpose: Purpose,
        readsCommands: Bool = false
    ) {
        self.name = name
        self.purpose = purpose
        isLimitForStart = client.timeout == nil && purpose != .answer
        givenTimeout = client.timeout
        connection = client.connection(loop, name: name)
        session = Session(
            connection, purpose == .news ? .forStart : .forStartOnly,
            within: .total(client.timeout ?? .seconds(5)))
        input = StandardInput(loop)
        self.readsCommands = readsCommands
    }

    /// - Parameter start: called after the first connection.
    package func run(_ start: @escaping () -> Void) throws -> Outcome {
        if let loss = try connection.reach(as: name, within: givenTimeout) { return .lost(loss) }
        self.start = start
        if purpose != .answer { session.end(Outcome.done, whenHungUp: STDOUT_FILENO) }
        if purpose == .news { try watchInput() }
        session.ready = { [weak self] in self?.connected() }
        session.received = { [weak self] _, _ in self?.session.isAway = false }
        session.lost = { [weak self] in self?.lost($0) }
        defer { connection.close() }
        do {
            return try session.waitForAnswer { nil }
        } catch let outcome as Outcome {
            return outcome
        } catch RequestFailure.lost(let loss) {
            return .lost(loss)
        } catch {
            return .timedOut
        }
    }

    /// A run for a result does not read: a loop of a shell keeps its input.
    private func watchInput() throws {
        let line: (String) -> Void = { [weak self] in self?.received($0) }
        try input.watch(readsCommands ? line : nil) { [weak self] in self?.inputEnded() }
    }

    private func inputEnded() {
        hasInputEnded = true
        endIfIdle()
    }

    private func endIfIdle() {
        if hasInputEnded, hasPrintedValues, unanswered == 0 { end(.done) }
    }

    // MARK: Commands

    /// Executes a command, and then calls `answer`. Earlier commands wait until this is set.
    package var onCommand: ((String) -> Void)? {
        didSet {
            let waiting = commands
            commands = []
            for command in waiting { onCommand?(command) }
        }
    }

    private func received(_ command: String) {
        unanswered += 1
        if let onCommand { onCommand(command) } else { commands.append(command) }
    }

    /// Prints the answer to a command.
    package func answer(_ text: String) {
        line(text)
        unanswered -= 1
        endIfIdle()
    }

    /// Ends the run. Only the first outcome counts.
    package func end(_ outcome: Outcome) { session.end(outcome) }

    /// Prints a line. Ends the run if that fails.
    package func line(_ text: String) {
        if !PlainOutput.standard.line(text) { end(.afterFailedWrite()) }
    }

    /// Writes a message to standard error.
    package func note(_ text: String) { PlainOutput.errors.line("\(name): \(text)") }

    // MARK: The connection

    private func connected() {
        guard let start else { return note("connected again") }
        self.start = nil
        start()
    }

    /// The run has printed all values that it begins with.
    package func hasValues() {
        if isLimitForStart { session.stopClock() }
        hasPrintedValues = true
        endIfIdle()
    }

    /// The run waits for the next connection. Before the first one, nothing is said.
    private func lost(_ loss: Loss) {
        session.isAway = connection.wasConnected
        if session.isAway { note("\(loss.description); trying again") }
    }
}
