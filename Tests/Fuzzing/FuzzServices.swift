import BusdHosting
import BusdKinds
import BusdProtocol
import BusdViewModels

/// Registers the kinds that busd hosts, with services in memory.
func register(on host: Host) {
    let reference = HostReference(host)
    host.register(BusViewsViewModel.self)
    host.register(BusClockViewModel.self, services: reference)
    host.registerBundledKinds(
        BundledServices(
            host, passwords: FuzzPasswords(host.clock), reference: reference,
            wallClock: FuzzWallClock()))
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
