import BusdDaemon
import BusdHosting
import BusdProtocol
import BusdViewModels

@main enum Busd {
    static func main() {
        BusDaemon(
            name: "busd", version: Version.text,
            summary: "Hosts view models; views attach through a Unix socket."
        ).runKeepingGames(manual: manual) { host, state in
            let users = Library<User>(host.libraries)
            let services = Services(
                host, passwords: state.openPasswords(of: users, clock: host.clock))
            let (games, clock, wallClock) = (services.games, services.clock, services.wallClock)
            state.whenRestarted { games.pauseRunning(asOf: $0, clock, wallClock) }
            host.register(GamesViewModel.self, services: services)
            host.register(GameCreatorViewModel.self, services: services)
            host.register(ScoreboardViewModel.self, services: services)
            host.register(PlayerViewModel.self, services: services)
            host.register(PlaysViewModel.self, services: services)
            host.register(BooksViewModel.self, services: services)
            host.register(BookCreatorViewModel.self, services: services)
            host.register(StudyViewModel.self, services: services)
            host.register(LoginViewModel.self, services: services)
            host.register(EchoViewModel.self)
        }
    }
}

/// The services of all view models.
struct Services: HasGames, HasBooks, HasDrafts, HasPasswords, HasClock, HasWallClock, HasDirectory,
    HasSender
{
    let games: Library<Game>
    let books: Library<Book>
    let drafts = DraftSpace()
    let passwords: any PasswordService
    let clock: any Clock
    let wallClock: any WallClock = SystemWallClock()
    let directory: any Directory
    private let senders: any HasSender

    var sender: Sender? { senders.sender }

    init(_ host: Host, passwords: any PasswordService) {
        games = Library(host.libraries)
        books = Library(host.libraries)
        self.passwords = passwords
        clock = host.clock
        directory = host
        senders = host
    }
}
