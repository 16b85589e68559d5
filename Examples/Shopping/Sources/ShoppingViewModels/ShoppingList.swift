import BusdProtocol
import Shopping

/// A list of items, and how to take back its last changes.
public struct ShoppingList: Thing {
    /// A list has a name. It exists from its first action on.
    public typealias ID = ExactText

    public static let kind = "shopping-list"
    public static let initial: ShoppingList? = ShoppingList()
    /// So many changes can be taken back. The effect of an old log depends on it: it is permanent.
    public static let mostUndos = 20

    public private(set) var items: [Shopping.Item] = []
    private var lastID = 0
    /// The edits that take back the last changes, the newest last.
    private var undos: [Edit<Shopping.Item>] = []

    public var canUndo: Bool { !undos.isEmpty }

    /// The log has these names. They are permanent, and so is the effect of each action.
    public enum Action: Codable, Sendable {
        case added(text: String)
        case checked(item: Int, isChecked: Bool)
        /// To a place from 0.
        case moved(item: Int, to: Int)
        case removed(item: Int)
        case undone
    }

    public init() {}

    public mutating func apply(_ action: Action, at time: Instant) -> Bool {
        switch action {
        case .added(let text): add(text)
        case .checked(let item, let isChecked): check(item, isChecked)
        case .moved(let item, let to): move(item, to: to)
        case .removed(let item): remove(item)
        case .undone: undo()
        }
    }

    private mutating func add(_ text: String) -> Bool {
        guard !text.isEmpty else { return false }
        lastID += 1
        let item = Shopping.Item(id: lastID, text: text)
        return change(.insert(at: items.count, row: item), undo: .delete(at: items.count))
    }

    private mutating func check(_ id: Int, _ isChecked: Bool) -> Bool {
        guard let place = place(of: id), items[place].isChecked != isChecked else { return false }
        var item = items[place]
        item.isChecked = isChecked
        return change(.update(at: place, row: item), undo: .update(at: place, row: items[place]))
    }

    private mutating func move(_ id: Int, to: Int) -> Bool {
        guard let from = place(of: id), items.indices.contains(to), from != to else { return false }
        return change(.move(from: from, to: to), undo: .move(from: to, to: from))
    }

    private mutating func remove(_ id: Int) -> Bool {
        guard let place = place(of: id) else { return false }
        return change(.delete(at: place), undo: .insert(at: place, row: items[place]))
    }

    private mutating func undo() -> Bool {
        guard let edit = undos.popLast() else { return false }
        return items.apply([edit])
    }

    private mutating func change(_ edit: Edit<Shopping.Item>, undo: Edit<Shopping.Item>) -> Bool {
        undos = undos.suffix(Self.mostUndos - 1) + [undo]
        return items.apply([edit])
    }

    private func place(of id: Int) -> Int? { items.firstIndex { $0.id == id } }
}
