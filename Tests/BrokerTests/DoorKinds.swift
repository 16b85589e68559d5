import BusdEcho
import BusdHosting
import BusdProtocol
import Testing

// View models for the tests of permissions. A keeper, at `keeper`, adds view models of any kind,
// makes them emit, and ends them. It emits the same event each time, also if the kind is not
// registered, so its own lines do not depend on what it keeps.

enum KeeperKind: ViewModelKind {
    static let name = "keeper"

    enum ViewEvent: WireEvent {
        case add(kind: String, at: String)
        case tell(at: String)
        case end(at: String)

        static let examples: [Self] = [
            .add(kind: "plain", at: "plain/a"), .tell(at: "plain/a"), .end(at: "plain/a"),
        ]
    }

    enum ViewModelEvent: WireEvent {
        case heard

        static let examples: [Self] = [.heard]
    }
}

/// What a keeper shares with the view models that it keeps.
final class Keep {
    weak var host: Host?
    var kinds: [String: any ViewModelKind.Type] = [:]
    /// By address: makes the view model emit.
    var tell: [String: () -> Void] = [:]
}

final class KeeperViewModel: HostedViewModel {
    typealias Kind = KeeperKind
    static let placement = Placement.fixed(.literal("keeper"))

    let output = Output<KeeperKind.ViewModelEvent>()
    private let keep: Keep

    init(at address: Address, services: Keep) { keep = services }

    func handle(event: KeeperKind.ViewEvent) {
        switch event {
        case .add(let name, let text):
            if let kind = keep.kinds[name], let address = Address(text) {
                keep.host?.add(kind, at: address)
            }
        case .tell(let text): keep.tell[text]?()
        case .end(let text):
            if let address = Address(text) { keep.host?.remove(address) }
        }
        output.send(.heard)
    }
}

/// A kind for the tests of the door. Its view models emit each text that a `send` hands to them.
protocol KeptKind: ViewModelKind
where ViewEvent == Echo.ViewEvent, ViewModelEvent == Echo.ViewModelEvent {
    static var placement: Placement { get }
}

enum PlainKind: KeptKind {
    typealias ViewEvent = Echo.ViewEvent
    typealias ViewModelEvent = Echo.ViewModelEvent
    static let name = "plain"
    static let placement = Placement.added
}

enum ReadyKind: KeptKind {
    typealias ViewEvent = Echo.ViewEvent
    typealias ViewModelEvent = Echo.ViewModelEvent
    static let name = "ready"
    static let placement = Placement.onDemand
}

enum OwnKind: KeptKind {
    typealias ViewEvent = Echo.ViewEvent
    typealias ViewModelEvent = Echo.ViewModelEvent
    static let name = "mine"
    static let placement = Placement.perConnection
}

/// Administrative.
enum SecretKind: KeptKind {
    typealias ViewEvent = Echo.ViewEvent
    typealias ViewModelEvent = Echo.ViewModelEvent
    static let name = "secret"
    static let placement = Placement.added
}

/// Administrative, and made on demand.
enum VaultKind: KeptKind {
    typealias ViewEvent = Echo.ViewEvent
    typealias ViewModelEvent = Echo.ViewModelEvent
    static let name = "vault"
    static let placement = Placement.onDemand
}

class Kept<Kind: KeptKind> {
    let output = Output<Echo.ViewModelEvent>()

    init(at address: Address, services: Keep) {
        services.tell[address.text] = { [weak self] in self?.output.send(.said(text: "told")) }
    }

    func handle(event: Echo.ViewEvent) {
        switch event {
        case .say(let text): output.send(.said(text: text))
        }
    }
}

final class OpenViewModel<Kind: KeptKind>: Kept<Kind>, HostedViewModel {
    static var placement: Placement { Kind.placement }

    override init(at address: Address, services: Keep) {
        super.init(at: address, services: services)
    }
}

final class HiddenViewModel<Kind: KeptKind>: Kept<Kind>, AdministrativeViewModel {
    static var placement: Placement { Kind.placement }

    override init(at address: Address, services: Keep) {
        super.init(at: address, services: services)
    }
}
