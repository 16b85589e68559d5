import BusdProtocol

/// A durable kind for tests: lists in an order, to which items are added.
enum Lists: ViewModelKind {
    static let name = "lists"

    enum ViewEvent: WireEvent {
        case make(name: String)
        case move(list: Int, to: Int)
        case add(list: Int, item: String)

        static let examples: [Self] = [
            .make(name: "a"), .move(list: 1, to: 0), .add(list: 1, item: "b"),
        ]
    }

    enum ViewModelEvent: WireEvent {
        case lists(lists: [String])
        case items(count: Int)
        var delivery: Delivery { .latest }
        static let examples: [Self] = [.lists(lists: ["1 a: b"]), .items(count: 1)]
    }
}

struct ItemList: Thing {
    struct Seed: Codable, Sendable { var name: String }
    enum Action: Codable, Sendable { case add(String) }

    static let kind = "list"
    let name: String
    private(set) var items: [String] = []

    init(_ seed: Seed) { name = seed.name }

    mutating func apply(_ action: Action, at time: Instant) -> Bool {
        guard case .add(let item) = action else { return false }
        items.append(item)
        return true
    }
}

final class ListsViewModel: DurableViewModel {
    typealias Kind = Lists
    static let placement = Placement.fixed(.literal("lists"))

    let output = Output<Lists.ViewModelEvent>()
    private let lists: Library<ItemList>

    init(at address: Address, services lists: Library<ItemList>) { self.lists = lists }

    var subject: Subject { lists.subject }

    func start() {
        lists.changes.bind(self) { model, _ in model.show() }
        show()
    }

    func handle(event: Lists.ViewEvent) {
        switch event {
        case .make(let name): lists.create(ItemList.Seed(name: name))
        case .move(let list, let place): if let id = ItemList.ID(list) { lists.move(id, to: place) }
        case .add(let list, let item):
            if let id = ItemList.ID(list) { lists.propose(.add(item), to: id) }
        }
    }

    private func show() {
        let all = lists.ids.compactMap { id in lists[id].map { (id, $0) } }
        output.send(
            .lists(
                lists: all.map { "\($0.text) \($1.name): \($1.items.joined(separator: " "))" }))
        output.send(.items(count: all.map(\.1.items.count).reduce(0, +)))
    }
}
