import BusdBooks
import BusdEcho
import BusdGames
import BusdHosting
import BusdLogin
import BusdProtocol

/// A host of the applications of busd, with services in memory. Close it: it holds its services.
func fuzzHost() -> Host {
    let host = Host(
        wallClock: FuzzWallClock(), openLibraries: { Libraries(clock: $0) },
        openPasswords: { FuzzPasswords($0.clock) })
    host.register(BusViewsViewModel.self)
    host.register(BusClockViewModel.self, services: host.outbox)
    let applications: [Application] = [.games, .books, .login, .echo]
    for application in applications {
        do {
            try application.install(on: host)
        } catch {
            preconditionFailure("\(error)")  // holds: these applications never throw
        }
    }
    return host
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
