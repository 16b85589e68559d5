import BusdProtocol
import Shopping

/// Shows a shopping list and changes it.
public final class ShoppingViewModel: DurableViewModel {
    public typealias Kind = Shopping

    // The first client that asks for shopping/NAME makes it.
    public static let placement = Placement.onDemand

    public let output = Output<Shopping.ViewModelEvent>()
    private let name: ExactText
    private let lists: Library<ShoppingList>
    /// The items that views have.
    private var items: ListOutput<Shopping.Item, Shopping.ViewModelEvent>

    public init(at address: Address, services lists: Library<ShoppingList>) {
        name = ExactText(address.name)
        self.lists = lists
        items = ListOutput(output, { .items(items: $0) }, edited: { .itemsEdited(edits: $0) })
    }

    deinit { lists.unfollow(name) }

    // The events of this view model change one list.
    public var subject: Subject { lists.subject(name) }

    private var list: ShoppingList { lists[name] ?? ShoppingList() }

    public func start() {
        show(list)
        lists.follow(name).bind(self) { $0.show($1 ?? ShoppingList()) }
    }

    private func show(_ list: ShoppingList) {
        items.show(list.items)
        output.send(.undoable(canUndo: list.canUndo))
    }

    public func refusal(of event: Shopping.ViewEvent) -> Refusal? {
        if !lists.contains(name), lists.count >= Shopping.lists.most {
            return .overloaded(
                "there are \(Shopping.lists.most) lists: use one of them", limit: Shopping.lists)
        }
        guard case .add(let text) = event else { return nil }
        if text.utf8.count > Shopping.itemText.most {
            return .badEvent(
                "an item has at most \(Shopping.itemText.most) bytes", limit: Shopping.itemText)
        }
        if list.items.count >= Shopping.items.most {
            return .overloaded(
                "there are \(Shopping.items.most) items: remove one", limit: Shopping.items)
        }
        return nil
    }

    public func handle(event: Shopping.ViewEvent) {
        switch event {
        case .add(let text): lists.propose(.added(text: text), to: name)
        case .check(let item, let isChecked):
            lists.propose(.checked(item: item, isChecked: isChecked), to: name)
        case .move(let item, let to): lists.propose(.moved(item: item, to: to), to: name)
        case .remove(let item): lists.propose(.removed(item: item), to: name)
        case .undo: lists.propose(.undone, to: name)
        }
    }
}
