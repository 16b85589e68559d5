import BusdHosting
import BusdProtocol

extension Application {
    /// The orders of a kitchen.
    public static let kitchen = Application { host in
        let services = KitchenServices(host: host, tickets: Library(host.libraries))
        host.register(OrdersViewModel.self, services: services)
        host.register(OrderViewModel.self, services: services)
    }
}

private struct KitchenServices: HasHost, HasTickets {
    let host: Host
    let tickets: Library<Ticket>
}
