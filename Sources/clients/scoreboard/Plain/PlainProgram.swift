import BusdClient
import BusdGamesEvents
import BusdProtocol
import BusdScreens
import BusdTerminal

/// The program without a screen: finds the game and prints it.
final class PlainProgram {
    private let settings: Settings
    private let lines: PlainRun
    private var search: GameSearch?
    private var game: PlainGame?

    init(_ settings: Settings, _ loop: ClientLoop) {
        self.settings = settings
        lines = PlainRun(
            "scoreboard", settings.client, loop, for: settings.purpose, readsCommands: true)
    }

    /// Nothing else keeps this object alive while the loop runs.
    func run() throws -> Outcome {
        try withExtendedLifetime(self) { try lines.run { [weak self] in self?.start() } }
    }

    private func start() {
        if let address = settings.game { return follow(address) }
        let takesFinished = settings.isOnce && settings.parts != nil
        search = GameSearch(lines.connection, takesFinished: takesFinished) { [weak self] in
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
                lines.onCommand = { [weak lines] _ in lines?.answer("no game is being played") }
                lines.hasValues()
                return lines.note("no game is being played; waiting for one")
            }
            if rows.isEmpty { lines.note("there are no games") }
            for row in rows { PlainOutput.standard.line(row.line) }
            lines.end(.done)
        case .refused(let error): lines.end(.refused(error))
        }
    }

    private func follow(_ address: Address) {
        game = PlainGame(address, lines, settings)
    }
}

extension Settings {
    fileprivate var purpose: Purpose {
        if isOnce { return .answer }
        return isUntilFinished ? .result : .news
    }
}

extension Games.Row {
    /// `4  Hawks 15 - 13 Jets  finished`
    var line: String {
        "\(id)  \(home) \(score) \(away)  \(isDeleted ? "deleted" : status.rawValue)"
    }
}
