import BusdClient
import BusdProtocol
import BusdScreens

/// The pages of the scoreboard.
final class ScoreboardRouter: Router {
    private let settings: Settings
    private let connection: BusConnection
    private let users: UserNames
    /// The game that is shown, or below the page that is shown.
    private var game: GameViews?

    init(_ settings: Settings, _ connection: BusConnection) {
        self.settings = settings
        self.connection = connection
        users = UserNames(isLocal: settings.client.host == nil)
    }

    func firstPage(on host: any PageHost<Step>) -> any Page {
        if let notice = settings.notice { host.showNotice(notice.printable) }
        if let game = settings.game { return gamePage(game, on: host) }
        return GamesPage(connection, opensNewest: true, on: host)
    }

    func go(_ step: Step, on interface: Interface<Step>) {
        switch step {
        case .open(let address): interface.replace(with: gamePage(address, on: interface))
        case .plays: if let game { interface.push(PlaysPage(game, on: interface)) }
        case .correct: if let game { interface.push(CorrectionPage(game, on: interface)) }
        case .games: interface.push(GamesPage(connection, on: interface))
        case .create:
            interface.push(CreatorPage(settings.draft, connection, on: interface))
        case .help: interface.push(HelpPage(on: interface))
        case .back: interface.pop()
        case .quit: interface.leave()
        case .gone: showGames("the game is no longer there", on: interface)
        case .refused(let error): refused(error, on: interface)
        }
    }

    private func gamePage(_ address: Address, on host: any PageHost<Step>) -> any Page {
        let parts = settings.parts ?? .both
        let name = parts == .both ? "scoreboard" : parts.rawValue
        let game = GameViews(address, connection, as: name, users, on: host)
        self.game = game
        return GamePage(game, parts, on: host)
    }

    private func refused(_ error: WireError, on interface: Interface<Step>) {
        let error = game.map { error.about("game", at: $0.address) } ?? error
        if settings.game != nil { return interface.end(.refused(error)) }
        showGames("refused: \(error.message)", on: interface)
    }

    private func showGames(_ notice: String, on interface: Interface<Step>) {
        game = nil
        interface.replace(with: GamesPage(connection, on: interface))
        interface.showNotice(notice)
    }
}
