/// All things of a kind.
///
/// View models propose actions and read things. An action is appended to the log first, and changes
/// the thing once the log has it; then the library notifies its followers.
///
///     games.propose(.pause, to: id)
///     games.create(seed) { outcome in … }
///
/// The code that runs for each action is `@inlinable`. So each module has code that is specialised
/// for its things, several times as fast as generic code.
public final class Library<T: Thing> {
    @usableFromInline let libraries: Libraries
    // Code that runs during an access to these never re-enters the library, so the run-time checks
    // for exclusive access are off. In all files of Things together, that saves a move 4,100 of
    // 57,300 instructions.

    /// The state of the library itself: order, next id, keys.
    @exclusivity(unchecked) @usableFromInline var libraryState = LibraryState<T>()
    @exclusivity(unchecked) @usableFromInline var records: [T.ID: Record<T>] = [:]
    /// Entries of the library itself that have not been applied yet.
    @exclusivity(unchecked) @usableFromInline var pending = PendingEntries<T.Size>()
    /// By id: the attention to things that do not exist. A record has that to its thing.
    @usableFromInline var absent: [T.ID: Attention<T>] = [:]
    /// Upper bound of the growth of the library by all pending entries.
    @exclusivity(unchecked) @usableFromInline var growth = T.Size.zero
    @exclusivity(unchecked) @usableFromInline var dirty: DirtyList<T.ID>
    @exclusivity(unchecked) @usableFromInline var total = T.Size.zero

    /// Forms of actions that were read after they were written.
    var readable = ReadableForms()
    /// The things whose creation could not be read at the start.
    var lost: Set<T.ID> = []
    /// The number of things, in order, that `packSome` has examined.
    var packed = 0
    /// The changes that were taken from `dirty` and are being saved.
    var saving: DirtyList<T.ID>
    /// Every change, after the followers of the thing were notified.
    public let changes: Signal<LibraryChange<T>>
    @usableFromInline let notify: Signal<LibraryChange<T>>.Observer
    /// The sum of the sizes of all things.
    public var size: T.Size { total }
    /// Reports of what could not be read from the store, for the log file.
    package var findings: [String] = []

    /// Registers the library under `Thing.kind`. Make one library for each kind of thing.
    public init(_ libraries: Libraries) {
        self.libraries = libraries
        dirty = DirtyList(isTracked: !libraries.isVolatile)
        saving = dirty
        (changes, notify) = Signal.pipe()
        libraries.register(self)
    }

    // MARK: Reading

    /// The thing with the id; `nil`: there is none.
    @inlinable public subscript(id: T.ID) -> T? { records[id]?.value }

    /// Whether there is a thing with the id. Costs less than reading the thing.
    @inlinable public func contains(_ id: T.ID) -> Bool { records[id] != nil }

    /// All things, in order; a new one is the last.
    @inlinable public var ids: [T.ID] { libraryState.order }
    /// The number of things, without pending creations.
    @inlinable public var count: Int { libraryState.order.count }

    /// The summary of the thing; `nil`: there is no such thing.
    @inlinable public func summary(of id: T.ID) -> T.Summary? { records[id]?.summary }

    /// Upper bound of the number of things after all pending entries.
    @inlinable public var expectedCount: Int { count + pending.creations }
    /// Upper bound of `size` after all pending entries.
    @inlinable public var expectedSize: T.Size { size + growth }
    /// Upper bound of the growth of a thing by its pending entries.
    @inlinable public func expectedGrowth(of id: T.ID) -> T.Size {
        attention(to: id)?.pending.growth ?? .zero
    }

    /// Whether the thing has pending entries.
    @inlinable public func isPending(_ id: T.ID) -> Bool {
        attention(to: id)?.pending.isEmpty == false
    }

    /// No pending entry of the thing is older than this; `nil`: it has none. A view model must not
    /// show a later time of the thing, or the time would jump back when the entries are applied.
    @inlinable public func pendingSince(_ id: T.ID) -> Instant? {
        attention(to: id).flatMap { $0.pending.isEmpty ? nil : $0.pending.since }
    }

    /// Emits the thing after each change, and `nil` when it is deleted.
    public func follow(_ id: T.ID, as rank: FollowerRank = .whole) -> Signal<T?> {
        let attention = openAttention(to: id, records[id])
        let followers = attention.followers ?? Followers()
        attention.followers = followers
        return rank == .part ? followers.parts : followers.whole
    }

    /// Call it when a follower of the thing is released. Without followers, the signals are freed.
    public func unfollow(_ id: T.ID) {
        guard let attention = attention(to: id), attention.followers?.hasListeners == false else {
            return
        }
        attention.followers = nil
        if attention.pending.isEmpty { absent[id] = nil }
    }

    // MARK: Proposing

    /// Proposes to create a thing. `then` gets its id when it exists.
    @inlinable public func create(
        _ seed: T.Seed, then: @escaping (ProposalOutcome<T.ID>) -> Void = { _ in }
    ) {
        propose(.library(.create(seed)), then)
    }

    /// Proposes to delete the thing. Without effect if there is no such thing.
    @inlinable public func delete(
        _ id: T.ID, then: @escaping (ProposalOutcome<T.ID>) -> Void = { _ in }
    ) {
        propose(.library(.delete(id)), then)
    }

    /// Proposes to delete the thing for good. Without effect before `Thing.expiry(of:)`.
    @inlinable public func expire(
        _ id: T.ID, then: @escaping (ProposalOutcome<T.ID>) -> Void = { _ in }
    ) {
        propose(.library(.expire(id)), then)
    }

    /// Proposes to move the thing to another place, from 0, in the order of the library.
    @inlinable public func move(
        _ id: T.ID, to place: Int, then: @escaping (ProposalOutcome<T.ID>) -> Void = { _ in }
    ) {
        propose(.library(.move(id, to: place)), then)
    }

    /// Proposes an action. Without effect if there is no such thing.
    ///
    /// `then` is called after the action was applied or refused, never inside this method.
    @inlinable public func propose(
        _ action: T.Action, to id: T.ID, then: @escaping (ProposalOutcome<T.ID>) -> Void = { _ in }
    ) {
        propose(.thing(id, action), then)
    }

    /// The thing with the id, as the subject of a view model: its sends change the thing.
    public func subject(_ id: T.ID) -> Subject { Subject(self, id) }
    /// The library itself, for a view model that creates, deletes or moves things.
    public var subject: Subject { Subject(self, nil) }
}
