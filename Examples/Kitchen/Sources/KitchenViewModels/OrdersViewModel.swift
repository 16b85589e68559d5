import BusdProtocol
import Kitchen

public protocol HasTickets {
    var tickets: Library<Ticket> { get }
}

/// Shows the orders, and takes new ones.
public final class OrdersViewModel: DurableViewModel {
    public typealias Kind = Orders
    public typealias Services = any HasTickets & HasDirectory & HasClock

    public static let placement = Placement.fixed(.literal("orders"))

    public let output = Output<Orders.ViewModelEvent>()
    private let tickets: Library<Ticket>
    private let viewModels: ThingViewModels<Ticket>
    private var rows: ThingRows<Ticket, Orders.Row, Orders.ViewModelEvent>?

    public init(at address: Address, services: Services) {
        tickets = services.tickets
        viewModels = ThingViewModels(of: tickets, [Order.self], services)
    }

    public var subject: Subject { tickets.subject }

    // It adds and removes the view models of orders.
    public var canSleep: Bool { false }

    public func start() {
        let list = ListOutput(output, { .orders(orders: $0) }, edited: { .ordersEdited(edits: $0) })
        rows = ThingRows(of: tickets, .newestFirst, on: list) { id, ticket in
            Orders.Row(
                id: id.text, table: ticket.table, ready: ticket.ready, dishes: ticket.dishes,
                isServed: ticket.served != nil)
        }
        tickets.changes.bind(self) { $0.rows?.show($1) }
    }

    public func refusal(of event: Orders.ViewEvent) -> Refusal? {
        guard case .place(_, let dishes) = event else { return nil }
        guard 1...Orders.dishes.most ~= dishes.count else {
            return .badEvent("an order has 1 to \(Orders.dishes.most) dishes", limit: Orders.dishes)
        }
        guard dishes.allSatisfy({ 1...Orders.dishText.most ~= $0.utf8.count }) else {
            return .badEvent(
                "a dish has 1 to \(Orders.dishText.most) bytes", limit: Orders.dishText)
        }
        guard tickets.expectedCount < Orders.orders.most else {
            return .overloaded(
                "there are \(Orders.orders.most) orders: serve one", limit: Orders.orders)
        }
        return nil
    }

    public func handle(event: Orders.ViewEvent) {
        switch event {
        case .place(let table, let dishes):
            tickets.create(Ticket.Seed(table: table, dishes: dishes))
        case .serve(let order): propose(.served, to: order)
        case .reopen(let order): propose(.reopened, to: order)
        }
    }

    private func propose(_ action: Ticket.Action, to order: String) {
        if let id = Ticket.ID(order) { tickets.propose(action, to: id) }
    }
}
