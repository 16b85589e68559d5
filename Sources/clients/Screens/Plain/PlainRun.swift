package import BusClient
import Glibc
import Protocol
import Terminal

/// What a program without a screen is run for.
package enum Purpose {
    /// To say how things stand: it waits for that no longer than `--timeout`.
    case answer
    /// To say how something ends, whenever that is.
    case result
    /// To say what happens, until nobody feeds it or reads it any more.
    case news
}

/// A run without a screen, over as many connections as it takes.
package final class PlainRun {
    package let connection: BusConnection
    private let name: String
    private let purpose: Purpose
    private let timeout: Duration
    private let input: EndOfInput
    private var deadline: Timer?
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
        timeout = client.timeout
        connection = BusConnection(loop: loop, path: client.socket, name: name)
        input = EndOfInput(loop)
    }

    private var loop: ClientLoop { connection.loop }

    /// - Parameter start: called with the first connection.
    package func run(_ start: @escaping () -> Void) throws -> Outcome {
        self.start = start
        let reader = try purpose == .answer ? nil : watchOthers()
        deadline = loop.clock.schedule(after: timeout) { [weak self] in self?.timeOut() }
        connection.listen(self) { run, event in
            switch event {
            case .connected: run.connected()
            case .lost(let loss): run.lost(loss)
            case .line: run.answered()
            }
        }
        connection.open()
        withExtendedLifetime(reader) { loop.run() }
        connection.close()
        return outcome ?? .done
    }

    /// Whoever feeds this program, or reads from it, may go.
    private func watchOthers() throws -> ClientLoop.Watch? {
        try input.watch { [weak self] in self?.end(.done) }
        // A plain file cannot be waited for, and needs no waiting for.
        return try? loop.whenHungUp(STDOUT_FILENO) { [weak self] in self?.end(.done) }
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

    private func answered() {
        if purpose != .answer { deadline = nil }
        isAway = false
    }

    /// Who waits for a result is told that there will be none; who looks on is told that the daemon
    /// is away, and looks on when it is back.
    private func lost(_ loss: Loss) {
        guard hasConnected, loss != .notOpen else { return }
        if purpose != .news {
            end(.noConnection(loss.description))
        } else if !isAway {
            isAway = true
            note("\(loss.description); trying again")
        }
    }

    private func timeOut() {
        end(.noConnection(connection.loss?.description ?? "the daemon does not answer"))
    }
}
