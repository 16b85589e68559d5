import BusdProtocol
import Kitchen

/// Shows the dishes of an order. `OrdersViewModel` adds it and removes it.
public final class OrderViewModel: DurableViewModel {
    public typealias Kind = Order

    public static let placement = Placement.added

    public let output = Output<Order.ViewModelEvent>()
    private let id: Ticket.ID
    private let tickets: Library<Ticket>
    private var dishes: ListOutput<Order.Dish, Order.ViewModelEvent>

    public init?(at address: Address, services: any HasTickets) {
        guard let id = Ticket.ID(of: Order.self, at: address) else { return nil }
        self.id = id
        tickets = services.tickets
        dishes = ListOutput(output, { .dishes(dishes: $0) }, edited: { .dishesEdited(edits: $0) })
    }

    deinit { tickets.unfollow(id) }

    public var subject: Subject { tickets.subject(id) }

    public func start() {
        show(tickets[id])
        tickets.follow(id).bind(self) { $0.show($1) }
    }

    private func show(_ ticket: Ticket?) { if let ticket { dishes.show(ticket.dishes) } }

    public func handle(event: Order.ViewEvent) {
        switch event {
        case .ready(let dish): tickets.propose(.ready(dish: dish), to: id)
        case .undo: tickets.propose(.undone, to: id)
        }
    }
}
