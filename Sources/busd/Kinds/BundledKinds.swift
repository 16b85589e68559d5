package import BusdHosting
package import BusdProtocol
package import BusdViewModels

extension Host {
    /// Registers the kinds that busd hosts, except those of the bus itself.
    package func registerBundledKinds(_ services: BundledServices) {
        register(GamesViewModel.self, services: services)
        register(GameCreatorViewModel.self, services: services)
        register(ScoreboardViewModel.self, services: services)
        register(PlayerViewModel.self, services: services)
        register(PlaysViewModel.self, services: services)
        register(BooksViewModel.self, services: services)
        register(BookCreatorViewModel.self, services: services)
        register(StudyViewModel.self, services: services)
        register(CardsViewModel.self, services: services)
        register(LoginViewModel.self, services: services)
        register(EchoViewModel.self)
    }
}

/// The services of these kinds.
package struct BundledServices: HasGames, HasBooks, HasDrafts, HasPasswords, HasClock,
    HasWallClock, HasDirectory, HasSender
{
    package let games: Library<Game>
    package let books: Library<Book>
    package let drafts = DraftSpace()
    package let passwords: any PasswordService
    package let clock: any Clock
    package let wallClock: any WallClock
    package let directory: any Directory
    private let senders: any HasSender

    package var sender: Sender? { senders.sender }

    /// - Parameter reference: the host; or a weak reference to it, if the host is to be freed: it
    ///   holds its services.
    package init(
        _ host: Host, passwords: any PasswordService, reference: any Directory & HasSender,
        wallClock: any WallClock = SystemWallClock()
    ) {
        games = Library(host.libraries)
        books = Library(host.libraries)
        self.passwords = passwords
        clock = host.clock
        self.wallClock = wallClock
        directory = reference
        senders = reference
    }
}
