public import BusdHosting
import BusdProtocol

extension Application {
    /// Books of flash cards, and the learning of them.
    public static let books = Application { host in
        let services = BooksServices(host: host, books: Library(host.libraries))
        host.register(BooksViewModel.self, services: services)
        host.register(BookCreatorViewModel.self, services: services)
        host.register(StudyViewModel.self, services: services)
        host.register(CardsViewModel.self, services: services)
    }
}

private struct BooksServices: HasHost, HasBooks {
    let host: Host
    let books: Library<Book>
}
