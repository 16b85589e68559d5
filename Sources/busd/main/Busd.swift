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
            let services = Services(
                host, try state.openLibraries(), passwords: state.openPasswords())
            host.register(GamesViewModel.self, services: services)
            host.register(GameCreatorViewModel.self, services: services)
            host.register(ScoreboardViewModel.self, services: services)
            host.register(PlayerViewModel.self, services: services)
            host.register(BooksViewModel.self, services: services)
            host.register(BookCreatorViewModel.self, services: services)
            host.register(StudyViewModel.self, services: services)
            host.register(LoginViewModel.self, services: services)
            host.register(EchoViewModel.self)
        }
    }
}

/// Everything that the view models need from the world.
struct Services: HasGames, HasBooks, HasDrafts, HasPasswords, HasClock, HasDirectory, HasSender {
    let games: any GamesService
    let books: any BooksService
    let drafts = DraftSpace()
    let passwords: any PasswordService
    let clock: any Clock
    let directory: any Directory
    private let senders: any HasSender

    var sender: Sender? { senders.sender }

    init(
        _ host: Host, _ libraries: (games: any GamesService, books: any BooksService),
        passwords: any PasswordService
    ) {
        (games, books) = libraries
        self.passwords = passwords
        clock = host.clock
        directory = host
        senders = host
    }
}
