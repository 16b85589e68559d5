import BusdHosting
import BusdProtocol

/// `bus/store`: makes copies of the store, and restores a backup.
final class BusStoreViewModel: HostedViewModel, AdministrativeViewModel {
    typealias Kind = BusStore

    struct Services {
        let copies: StoreCopies
        let restore: StoreRestore
        let senders: any HasSender
    }

    static let placement = Placement.fixed(BusStore.address)

    let output = Output<BusStore.ViewModelEvent>()
    private let services: Services

    init(at address: Address, services: Services) { self.services = services }

    func refusal(of event: BusStore.ViewEvent) -> Refusal? {
        switch event {
        case .backUp:
            services.copies.isTaken ? Refusal(.unavailable, "another copy is being made") : nil
        case .restore: services.restore.refusal
        }
    }

    func handle(event: BusStore.ViewEvent) { _ = changes(handling: event) }

    /// The event with the outcome is sent in a later turn.
    func changes(handling event: BusStore.ViewEvent) -> Bool {
        switch event {
        case .backUp:
            let connection = services.senders.sender?.connection ?? 0
            services.copies.begin(for: connection) { [weak self] in self?.output.send($0) }
        case .restore: services.restore.begin()
        }
        return true
    }
}
