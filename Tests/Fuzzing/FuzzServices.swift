import BusdHosting
import BusdProtocol
import BusdViewModels

/// Registers the kinds that busd hosts, with services in memory.
func register(on host: Host) {
    let reference = HostReference(host)
    let services = FuzzServices(host, reference)
    host.register(BusViewsViewModel.self)
    host.register(BusClockViewModel.self, services: reference)
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

private struct FuzzServices: HasGames, HasBooks, HasDrafts, HasPasswords, HasClock, HasWallClock,
    HasDirectory, HasSender
{
    let games: Library<Game>
    let books: Library<Book>
    let drafts = DraftSpace()
    let passwords: any PasswordService
    let clock: any Clock
    let wallClock: any WallClock = FuzzWallClock()
    let directory: any Directory
    private let senders: any HasSender

    var sender: Sender? { senders.sender }

    init(_ host: Host, _ reference: HostReference) {
        games = Library(host.libraries)
        books = Library(host.libraries)
        passwords = FuzzPasswords(host.clock)
        clock = host.clock
        directory = reference
        senders = reference
    }
}

/// A weak reference to a host. The host holds its services, so a strong reference would leak a host
/// in each of millions of runs.
private final class HostReference: Directory, Advancing, HasSender {
    private weak var host: Host?

    var sender: Sender? { host?.sender }

    init(_ host: Host) { self.host = host }

    func add(_ kind: any ViewModelKind.Type, at address: Address) { host?.add(kind, at: address) }
    func remove(_ address: Address) { host?.remove(address) }
    func advance(by span: Duration) { host?.advance(by: span) }
}

/// A check takes 100 ms. A password is right if it equals the name.
private final class FuzzPasswords: PasswordService {
    private let clock: any Clock

    init(_ clock: any Clock) { self.clock = clock }

    func check(
        _ password: Secret, of username: String, for sender: Sender?,
        _ answer: @escaping (PasswordVerdict) -> Void
    ) -> PasswordCheck {
        let verdict = password == Secret(username) ? PasswordVerdict.right : .wrong
        let timer = clock.schedule(after: .milliseconds(100)) { answer(verdict) }
        return PasswordCheck { withExtendedLifetime(timer) {} }
    }
}

/// Always the same second, so that runs can be repeated.
private final class FuzzWallClock: WallClock {
    let now = UTCTime(seconds: 1_767_225_600)
}
