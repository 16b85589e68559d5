import BusdHosting
import BusdProtocol

/// `bus/house`: shows the daemons of the house.
final class BusHouseViewModel: HostedViewModel, BusOwned {
    typealias Kind = BusHouse

    static let placement = Placement.fixed(BusHouse.address)

    let output = Output<BusHouse.ViewModelEvent>()
    private let house: House

    init(at address: Address, services: House) { house = services }

    func start() {
        show()
        house.changed = { [weak self] in self?.show() }
    }

    func handle(event: BusHouse.ViewEvent) {}

    private func show() { output.send(house.event) }
}
