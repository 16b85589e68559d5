import BusClient
import Protocol
import Terminal

/// The program without a screen: it finds the game, and prints it.
final class PlainProgram {
    private let settings: Settings
    private let loop: ClientLoop
    private let connection: BusConnection
    private let input: EndOfInput
    private var deadline: Timer?
    private var hasConnected = false
    /// The daemon went, and that has been said.
    private var isAway = false
    private var search: GameSearch?
    private var game: PlainGame?
    private var outcome = Outcome.done

    init(_ settings: Settings, _ loop: ClientLoop) {
        self.settings = settings
        self.loop = loop
        connection = BusConnection(loop: loop, path: settings.socket, name: "scoreboard")
        input = EndOfInput(loop)
    }

    func run() throws -> Outcome {
        if !settings.isOnce { try input.watch { [weak self] in self?.end(.done) } }
        deadline = loop.clock.schedule(after: settings.timeout) { [weak self] in self?.timeOut() }
        connection.listen(self) { program, event in
            switch event {
            case .connected: program.connected()
            case .lost(let loss): program.lost(loss)
            case .line: program.answered()
            }
        }
        connection.open()
        loop.run()
        connection.close()
        return outcome
    }

    private func end(_ outcome: Outcome) {
        self.outcome = outcome
        loop.stop()
    }

    // MARK: The connection

    private func connected() {
        if hasConnected {
            PlainOutput.errors.line("scoreboard: connected again")
        } else {
            start()
        }
        hasConnected = true
    }

    private func answered() {
        if !settings.isOnce { deadline = nil }
        isAway = false
    }

    /// Who waits for a result is told that there will be none; who looks on is told that the daemon
    /// is away, and looks on when it is back.
    private func lost(_ loss: Loss) {
        guard hasConnected, loss != .notOpen else { return }
        if settings.isOnce || settings.isUntilFinished {
            end(.noConnection(loss.description))
        } else if !isAway {
            isAway = true
            PlainOutput.errors.line("scoreboard: \(loss.description); trying again")
        }
    }

    private func timeOut() {
        end(.noConnection(connection.loss?.description ?? "the daemon does not answer"))
    }

    // MARK: The game

    private func start() {
        if let address = settings.game { return follow(address) }
        let takesFinished = settings.isOnce && settings.parts != nil
        search = GameSearch(connection, takesFinished: takesFinished) { [weak self] in
            self?.searched($0)
        }
    }

    private func searched(_ result: GameSearch.Result) {
        switch result {
        case .found(let address):
            search = nil
            follow(address)
        case .none(let rows):
            guard settings.isOnce else {
                PlainOutput.errors.line("scoreboard: no game is being played; waiting for one")
                return
            }
            if rows.isEmpty { PlainOutput.errors.line("scoreboard: there are no games") }
            for row in rows { PlainOutput.standard.line(row.line) }
            end(.done)
        case .refused(let error): end(.refused(error.message))
        }
    }

    private func follow(_ address: Address) {
        game = PlainGame(address, connection, settings) { [weak self] in self?.end($0) }
    }
}

extension Games.Row {
    /// `4  Hawks 15 - 13 Jets  finished`
    var line: String { "\(id)  \(home) \(score) \(away)  \(status.rawValue)" }
}
