// The form in which a store, which knows no type of thing, hands damaged things to libraries.

/// A thing whose saved state is damaged. `entries` are those after `state`. If there is no older
/// state, the first entry is the creation, unless the kind has an `initial` thing.
public struct ThingHistory: Sendable {
    public var kind: String
    public var id: String
    public var state: SavedState?
    public var entries: [LogEntry]

    public init(kind: String, id: String, state: SavedState? = nil, entries: [LogEntry] = []) {
        (self.kind, self.id, self.state, self.entries) = (kind, id, state, entries)
    }
}

extension LogEntry {
    /// Whether it may create a thing.
    package var isCreation: Bool { id.isEmpty && body.starts(with: #"{"create":"#.utf8) }

    /// It says all of a thing without a history.
    package var isWhole: Bool { number > 0 && previous == number }

    /// An entry after which the library gives new things higher numbers than this one.
    package static func skip(to number: Int, kind: String, at time: Instant) -> LogEntry {
        let body = Array(#"{"skip":{"to":\#(number)}}"#.utf8)
        return LogEntry(time: time, kind: kind, id: "", body: body)
    }
}

extension SavedState {
    /// Of the state of a library: the number that the next thing gets, and the ids of its things.
    package var shelf: (next: Int, ids: [String])? {
        guard id.isEmpty, let shelf = try? decoded(ShelfBody.self, from: body) else { return nil }
        return (shelf.next, shelf.order.map(\.text))
    }
}

private struct ShelfBody: Decodable {
    let next: Int
    let order: [AnyID]
}

/// A number or a text.
private struct AnyID: Decodable {
    let text: String

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let number = try? container.decode(Int.self) {
            text = String(number)
        } else {
            text = try container.decode(String.self)
        }
    }
}

extension Library {
    /// The state of a thing that no entry of the log has made: it comes from an older store.
    package static func saved(
        _ thing: T, as id: T.ID, keys: [SendKey] = []
    ) throws -> SavedState {
        let record = Record(thing, 0)
        for key in keys { record.keys.insert(key) }
        return try record.saving(id)()
    }

    /// The state of a library of such things.
    package static func saved(
        order: [T.ID], next: Int, keys: [SendKey] = []
    ) throws -> SavedState {
        var shelf = Shelf<T>()
        shelf.skip(to: next - 1)
        shelf.add(order)
        for key in keys { shelf.keys.insert(key) }
        return try shelf.saved()
    }

    /// The state that results from a history.
    static func state(after history: ThingHistory) throws(WireError) -> SavedState {
        guard let id = T.ID(history.id) else { throw WireError(.badEvent, "this is not an id") }
        var entries = history.entries[...]
        let record: Record<T>
        if let state = history.state {
            record = try Record(saved: state)
        } else if let first = entries.first, first.isCreation,
            case .create(let seed) = try decoded(LibraryAction<T>.self, from: first.body)
        {
            record = Record(T(seed), first.number)
            entries = entries.dropFirst()
        } else if let initial = T.initial {
            record = Record(initial, 0)
        } else {
            throw WireError(.badEvent, "its creation is missing")
        }
        for entry in entries { try record.replay(entry) }
        do {
            return try record.saving(id)()
        } catch {
            throw WireError(.badEvent, "it cannot be encoded")
        }
    }
}

extension Record {
    fileprivate func replay(_ entry: LogEntry) throws(WireError) {
        if !entry.isSentToLibrary {
            if let key = entry.key, keys.contains(key) { return }
            if let unchangedSince = entry.unchangedSince, lastEffect > unchangedSince { return }
            if let key = entry.key { keys.insert(key) }
        }
        lastEntry = entry.number
        let action = try decoded(T.Action.self, from: entry.body)
        if apply(action, at: entry.time) { lastEffect = entry.number }
    }
}
