import BusdProtocol

/// `shopping/NAME`: a list of things to buy.
public enum Shopping: ViewModelKind {
    public static let name = "shopping"
    public static let lists = Limit("lists", most: 1_000)
    public static let items = Limit("items", most: 200)
    /// Bytes of the text of an item.
    public static let itemText = Limit("itemText", most: 200)
    public static let limits = [lists, items, itemText]

    /// The store of the daemon has this form, too: a new field must be optional.
    public struct Item: Codable, Equatable, Sendable {
        /// Counts from 1 in each list, and is never used again.
        public var id: Int
        public var text: String
        public var isChecked: Bool

        public init(id: Int, text: String, isChecked: Bool = false) {
            self.id = id
            self.text = text
            self.isChecked = isChecked
        }
    }

    public enum ViewEvent: WireEvent {
        case add(text: String)
        case check(item: Int, isChecked: Bool)
        /// `to` is the place after the move, from 0.
        case move(item: Int, to: Int)
        case remove(item: Int)
        /// Takes back the last change of the list.
        case undo

        public static let examples: [Self] = [
            .add(text: "milk"), .check(item: 1, isChecked: true), .move(item: 1, to: 0),
            .remove(item: 1), .undo,
        ]

        // Later, a place may have another item, and another change may be the last one.
        public var canWait: Bool {
            switch self {
            case .add, .check, .remove: true
            case .move, .undo: false
            }
        }
    }

    public enum ViewModelEvent: WireEvent {
        /// The whole list: in the snapshot.
        case items(items: [Item])
        /// Changes of the list, for views that have it.
        case itemsEdited(edits: [Edit<Item>])
        case undoable(canUndo: Bool)

        public static let examples: [Self] = [
            .items(items: [Item(id: 1, text: "milk")]),
            .itemsEdited(edits: [.insert(at: 1, row: Item(id: 2, text: "tea"))]),
            .undoable(canUndo: true),
        ]

        // A view that joins gets the newest of each value. It has missed the messages.
        public var delivery: Delivery {
            switch self {
            case .items, .undoable: .latest
            case .itemsEdited: .every
            }
        }
    }
}

/// A client applies the edits to the list that it has.
extension Shopping.ViewModelEvent: EditingEvent {
    public func edit(_ value: Self) -> Self? {
        guard case .itemsEdited(let edits) = self, case .items(var items) = value,
            items.apply(edits)
        else { return nil }
        return .items(items: items)
    }
}
