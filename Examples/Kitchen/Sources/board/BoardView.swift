import BusdClient
import BusdProtocol
import BusdTerminal
import Kitchen

/// The list of orders, with a view for each order that is not served. Lines such as `ready 3 1`
/// become view events.
final class BoardView: View {
    let output = Output<Orders.ViewEvent>()
    private var rows: [Orders.Row] = []
    private var orders: [String: (view: OrderView, model: RemoteViewModel<Order>)] = [:]

    func handle(event: Orders.ViewModelEvent) {
        switch event {
        case .orders(let orders): rows = orders
        case .ordersEdited(let edits): _ = rows.apply(edits)
        }
    }

    /// Ends the views of served orders, and makes those of new ones; returns whether there are any.
    func addsOrders(_ connection: BusConnection) -> Bool {
        let open = Set(rows.filter { !$0.isServed }.map(\.id))
        orders = orders.filter { open.contains($0.key) }
        let new = open.filter { orders[$0] == nil }
        for id in new {
            guard let address = Address("\(Order.name)/\(id)") else { continue }
            let (view, model) = (OrderView(), RemoteViewModel<Order>(connection, at: address))
            view.bind(with: model)
            orders[id] = (view, model)
        }
        return !new.isEmpty
    }

    func draw() {
        PlainOutput.standard.line("\(orders.count) open")
        for row in rows {
            let dishes = orders[row.id]?.view.line ?? "served"
            PlainOutput.standard.line("\(row.id) table \(row.table): \(dishes)")
        }
    }

    /// Dishes count from 1. A line that is no command does nothing.
    func typed(_ line: String) {
        let words = line.split(separator: " ").map(String.init)
        guard words.count >= 2 else { return }
        let order = orders[words[1]]?.view.output
        switch words[0] {
        case "place":
            if let table = Int(words[1]) {
                output.send(.place(table: table, dishes: Array(words.dropFirst(2))))
            }
        case "serve": output.send(.serve(order: words[1]))
        case "reopen": output.send(.reopen(order: words[1]))
        case "ready":
            for dish in words.dropFirst(2).compactMap({ Int($0) }) {
                order?.send(.ready(dish: dish - 1))
            }
        case "undo": order?.send(.undo)
        default: break
        }
    }
}

/// The dishes of one order.
final class OrderView: View {
    let output = Output<Order.ViewEvent>()
    private var dishes: [Order.Dish] = []

    var line: String {
        dishes.map { "\($0.text)\($0.isReady ? " ready" : "")" }.joined(separator: ", ")
    }

    func handle(event: Order.ViewModelEvent) {
        switch event {
        case .dishes(let dishes): self.dishes = dishes
        case .dishesEdited(let edits): _ = dishes.apply(edits)
        }
    }
}
