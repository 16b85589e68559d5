/// A thing in its library. Code that runs during an access to its properties never re-enters the
/// record, so the run-time checks for exclusive access are off.
@usableFromInline final class Record<T: Thing> {
    /// `nil`: the thing is packed, so only `body` has it.
    @exclusivity(unchecked) @usableFromInline var unpacked: Unpacked<T>?
    /// The thing as JSON; empty: the value has changed since it was encoded.
    @exclusivity(unchecked) @usableFromInline var body: [UInt8] = []
    @exclusivity(unchecked) @usableFromInline var isUsed = true
    @exclusivity(unchecked) @usableFromInline var summary: T.Summary
    @exclusivity(unchecked) @usableFromInline var keys = SendKeys()
    /// Numbers of the newest entry, and of the newest that had an effect.
    @exclusivity(unchecked) @usableFromInline var lastEntry: Int
    @exclusivity(unchecked) @usableFromInline var lastEffect: Int
    /// `nil`: since the record was packed, nobody has waited for the thing.
    @exclusivity(unchecked) @usableFromInline var attention: Attention<T>?

    @inlinable init(_ value: T, _ number: Int) {
        unpacked = Unpacked(value)
        summary = value.summary
        (lastEntry, lastEffect) = (number, number)
    }

    init(saved state: SavedState) throws(WireError) {
        guard let keys = SendKeys(state.keys) else {
            throw WireError(.badEvent, "its keys are damaged")
        }
        summary = try decoded(T.Summary.self, from: state.summary)
        body = state.body
        self.keys = keys
        (lastEntry, lastEffect) = (state.lastEntry, state.lastEffect)
        isUsed = false
    }

    /// `nil`: the body is damaged.
    @inlinable var value: T? { unpack()?.value }

    @inlinable func unpack() -> Unpacked<T>? {
        isUsed = true
        if unpacked == nil { unpacked = decodedBody() }
        return unpacked
    }

    @usableFromInline func decodedBody() -> Unpacked<T>? {
        (try? decoded(T.self, from: body)).map { Unpacked($0) }
    }

    @inlinable func apply(_ action: T.Action, at time: Instant) -> Bool {
        guard let thing = unpack(), thing.value.apply(action, at: time) else { return false }
        body = []
        summary = thing.value.summary
        return true
    }

    /// Keeps only the encoded form, if it was not used since the last call. Returns the number of
    /// bytes that were encoded.
    func pack() -> Int {
        defer { isUsed = false }
        if attention?.isIdle == true { attention = nil }
        guard !isUsed, let unpacked else { return 0 }
        let wasEncoded = !body.isEmpty
        keys = keys.withoutIndex()
        if body.isEmpty, let bytes = try? encoded(unpacked.value) {
            // Copied, because the writer's array has unused capacity.
            body.reserveCapacity(bytes.count)
            body += bytes
        }
        if !body.isEmpty { self.unpacked = nil }
        return wasEncoded ? 0 : body.count
    }

    /// - Returns: a function that encodes the record as it is now.
    func saving(_ id: T.ID) -> () throws -> SavedState {
        let (value, body, summary) = (unpacked?.value, body, summary)
        let keys = keys.withoutIndex()
        let (lastEntry, lastEffect) = (lastEntry, lastEffect)
        return {
            var state = SavedState(
                kind: T.kind, id: id.description, lastEntry: lastEntry, lastEffect: lastEffect)
            state.summary = try encoded(summary)
            state.body = try value.map { try encoded($0) } ?? body
            state.keys = keys.bytes
            return state
        }
    }
}

/// A box for a value that is in memory only while it is used: a packed record costs one reference.
@usableFromInline final class Unpacked<T> {
    @exclusivity(unchecked) @usableFromInline var value: T

    @inlinable init(_ value: T) { self.value = value }
}

/// The state of a library beside its things.
@usableFromInline struct LibraryState<T: Thing> {
    @usableFromInline var order: [T.ID] = []
    /// The number of the thing that is created next.
    @usableFromInline private(set) var next = 1
    @usableFromInline var keys = SendKeys()
    @usableFromInline var lastEntry = 0
    @usableFromInline var lastEffect = 0

    init() {}

    private struct Body: Codable {
        var next: Int
        var order: [T.ID]
    }

    init(saved state: SavedState) throws(WireError) {
        guard let keys = SendKeys(state.keys) else {
            throw WireError(.badEvent, "its keys are damaged")
        }
        let body = try decoded(Body.self, from: state.body)
        guard LogEntry.numbers.contains(body.next - 1), Set(body.order).count == body.order.count
        else {
            throw WireError(.badEvent, "its list is damaged")
        }
        (next, order) = (body.next, body.order)
        self.keys = keys
        (lastEntry, lastEffect) = (state.lastEntry, state.lastEffect)
    }

    func saved() throws -> SavedState {
        var state = SavedState(kind: T.kind, id: "", lastEntry: lastEntry, lastEffect: lastEffect)
        state.body = try encoded(Body(next: next, order: order))
        state.keys = keys.bytes
        return state
    }

    @usableFromInline func hasEffect(_ action: LibraryAction<T>) -> Bool {
        switch action {
        case .create: T.ID.numbered(next) != nil
        case .delete(let id), .expire(let id): order.contains(id)
        case .move(let id, let place):
            order.indices.contains(place) && order[place] != id && order.contains(id)
        case .skip(let number): number >= next
        }
    }

    @usableFromInline mutating func create() -> T.ID? {
        guard let id = T.ID.numbered(next) else { return nil }
        next += 1
        order.append(id)
        return id
    }

    /// Ids up to this number have been used.
    @usableFromInline mutating func skip(to number: Int) { next = max(next, number + 1) }

    mutating func add(_ ids: [T.ID]) { order += ids }

    @usableFromInline mutating func move(_ id: T.ID, to place: Int) -> Bool {
        guard hasEffect(.move(id, to: place)), let from = order.firstIndex(of: id) else {
            return false
        }
        order.insert(order.remove(at: from), at: place)
        return true
    }
}

/// What waits for a thing: actions that were proposed and not applied yet, and followers of its
/// changes. It may begin before the thing, and last longer.
@usableFromInline final class Attention<T: Thing> {
    @exclusivity(unchecked) @usableFromInline var pending = PendingEntries<T.Size>()
    @exclusivity(unchecked) @usableFromInline var followers: Followers<T>?

    @inlinable init() {}

    @inlinable var isIdle: Bool { pending.isEmpty && followers == nil }
}

/// Entries of one target that have not been applied yet.
@usableFromInline struct PendingEntries<Size: AdditiveArithmetic> {
    /// No pending entry is older.
    @usableFromInline var since = Instant(microseconds: 0)
    @usableFromInline var count = 0
    /// The number of the newest.
    @usableFromInline var newest = 0
    @usableFromInline var creations = 0
    /// Upper bound of the growth of the target by these entries.
    @usableFromInline var growth = Size.zero

    @inlinable init() {}

    @inlinable var isEmpty: Bool { count == 0 }

    @inlinable mutating func add(_ entry: LogEntry, creates: Bool, _ more: Size) {
        if isEmpty { since = entry.time }
        newest = entry.number
        count += 1
        if creates { creations += 1 }
        growth += more
    }

    @inlinable mutating func remove(creates: Bool, _ more: Size) {
        count -= 1
        if creates { creations -= 1 }
        growth -= more
    }
}

/// Changes since the states were last saved. The id `nil` is the library itself.
@usableFromInline struct DirtyList<ID: Hashable> {
    @usableFromInline var changed: Set<ID?> = []
    private(set) var removals: [(ID, lastEntry: Int)] = []
    private(set) var amendments: [(amendment: LogAmendment, target: ID?)] = []
    /// False: nothing is kept, so no change is noted.
    @usableFromInline let isTracked: Bool

    init(isTracked: Bool) { self.isTracked = isTracked }

    /// Each amendment comes with a change, or was put back because an entry is pending.
    var isEmpty: Bool { changed.isEmpty && removals.isEmpty }

    @inlinable mutating func insert(_ id: ID?) { if isTracked { changed.insert(id) } }

    @usableFromInline mutating func remove(_ id: ID, lastEntry: Int) {
        guard isTracked else { return }
        changed.remove(id)
        removals.append((id, lastEntry))
    }

    @usableFromInline mutating func amend(_ amendment: LogAmendment, of target: ID?) {
        if isTracked { amendments.append((amendment, target)) }
    }

    /// - Parameter isPending: whether the target has pending entries. The oldest of them may follow
    ///   the newest entry that is to be removed. So that removal waits until it was linked anew.
    mutating func take(isPending: (ID?) -> Bool = { _ in false }) -> Self {
        var taken = self
        self = Self(isTracked: isTracked)
        var held: Set<ID?> = []
        for (place, (amendment, target)) in taken.amendments.enumerated().reversed() {
            guard case .remove = amendment, isPending(target), held.insert(target).inserted else {
                continue
            }
            amendments.append(taken.amendments.remove(at: place))
        }
        return taken
    }

    /// Takes back changes that could not be saved.
    mutating func giveBack(_ older: Self) {
        changed.formUnion(older.changed)
        removals = older.removals + removals
        amendments = older.amendments + amendments
    }
}

/// The order of notification: the parts of a thing, then the whole. So a view that draws event by
/// event shows the move of a player before the score.
public enum FollowerRank {
    /// Notified first.
    case part
    /// Notified after the followers of parts.
    case whole
}

@usableFromInline final class Followers<T> {
    let parts: Signal<T?>
    let whole: Signal<T?>
    @usableFromInline let notifyParts: Signal<T?>.Observer
    @usableFromInline let notifyWhole: Signal<T?>.Observer

    init() {
        (parts, notifyParts) = Signal.pipe()
        (whole, notifyWhole) = Signal.pipe()
    }

    var hasListeners: Bool { parts.hasListeners || whole.hasListeners }

    @inlinable func notify(_ thing: T?) {
        notifyParts.send(value: thing)
        notifyWhole.send(value: thing)
    }
}

/// A change of a library. `changes` of the library emits it after the thing has changed.
public enum LibraryChange<T: Thing> {
    /// The thing was created, at the end of the order.
    case created(T.ID, T.Summary)
    /// An action changed the thing. `before` is its summary before that.
    case changed(T.ID, T.Summary, before: T.Summary)
    /// The thing is now at this place of the order, from 0.
    case moved(T.ID, to: Int)
    /// The thing was deleted.
    case deleted(T.ID)
}
