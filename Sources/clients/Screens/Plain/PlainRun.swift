package import BusdClient
import BusdProtocol
import BusdTerminal
import Glibc

/// The purpose of a run without a screen.
package enum Purpose {
    /// Prints the current state, then ends.
    case answer
    /// Prints changes until a result is known, then ends.
    case result
    /// Prints changes until standard input or output is closed.
    case news
}

// `--timeout` limits the whole run, whatever the daemon does. Without it a run has five seconds to
// print its first values; one that only prints these has no more. Standard input that ends before
// the first values makes them the only ones, so `true | books` prints the library.

/// A run without a screen, over as many connections as it takes.
package final class PlainRun {
    package let connection: BusConnection
    private let name: String
    private let purpose: Purpose
    private let timeout: Duration?
    private let givenTimeout: Duration?
    /// The limit holds until the first values, as none was given.
    private let isLimitForStart: Bool
    private let input: EndOfInput
    private var deadline: ScheduledAction?
    private var hasPrintedValues = false
    private var hasInputEnded = false
    private var hasConnected = false
    /// The daemon went, and that has been said.
    private var isAway = false
    private var start: (() -> Void)?
    private var outcome: Outcome?

    package init(
        _ name: String, _ client: ClientSettings, _ loop: ClientLoop, for purpose: Purpose
    ) {
        self.name = name
        self.purpose = purpose
        timeout = client.timeout == .zero ? nil : client.timeout ?? .seconds(5)
        isLimitForStart = client.timeout == nil && purpose != .answer
        givenTimeout = client.timeout
        connection = client.connection(loop, name: name)
        input = EndOfInput(loop)
    }

    private var loop: ClientLoop { connection.loop }

    /// - Parameter start: called with the first connection.
    package func run(_ start: @escaping () -> Void) throws -> Outcome {
        if let loss = try connection.reach(as: name, within: givenTimeout) { return .lost(loss) }
        self.start = start
        let reader = try purpose == .answer ? nil : watchOthers()
        deadline = timeout.map { timeout in
            loop.clock.schedule(after: connection.left(of: timeout)) { [weak self] in
                self?.timeOut()
            }
        }
        connection.listen(self) { run, event in
            switch event {
            case .connected: run.connected()
            case .lost(let loss): run.lost(loss)
            case .line: run.isAway = false
            }
        }
        connection.open()
        withExtendedLifetime(reader) { loop.run() }
        connection.close()
        return outcome ?? .done
    }

    /// The other ends of standard input and output may be closed.
    private func watchOthers() throws -> ClientLoop.Watch? {
        try input.watch { [weak self] in self?.inputEnded() }
        // A plain file cannot be waited for, and needs no waiting for.
        return try? loop.whenHungUp(STDOUT_FILENO) { [weak self] in self?.end(.done) }
    }

    private func inputEnded() {
        hasInputEnded = true
        if hasPrintedValues { end(.done) }
    }

    /// The first outcome counts.
    package func end(_ outcome: Outcome) {
        if self.outcome == nil { self.outcome = outcome }
        loop.stop()
    }

    /// Prints a line, and ends where it can't.
    package func line(_ text: String) {
        if !PlainOutput.standard.line(text) { end(.afterFailedWrite()) }
    }

    /// Says it on standard error.
    package func note(_ text: String) { PlainOutput.errors.line("\(name): \(text)") }

    // MARK: The connection

    private func connected() {
        if hasConnected { note("connected again") }
        hasConnected = true
        start?()
        start = nil
    }

    /// The run has printed all values that it begins with.
    package func hasValues() {
        if isLimitForStart { deadline = nil }
        hasPrintedValues = true
        if hasInputEnded { end(.done) }
    }

    /// Without the daemon there is no result. News go on when it is back.
    private func lost(_ loss: Loss) {
        if loss.isOfWrongDaemon { return end(.lost(loss)) }
        guard hasConnected, loss != .notOpen else { return }
        if purpose != .news {
            end(.lost(loss))
        } else if !isAway {
            isAway = true
            note("\(loss.description); trying again")
        }
    }

    private func timeOut() {
        end(connection.loss.map { .lost($0) } ?? .timedOut)
    }
}
