/// An action on the library itself. Permanent, like the actions of things.
@usableFromInline enum LibraryAction<T: Thing>: Codable {
    case create(T.Seed)
    case delete(T.ID)
    /// To a place from 0.
    case move(T.ID, to: Int)
    /// Numbers up to this one may have been used, by things that are deleted or lost.
    case skip(to: Int)
    /// Deletes a thing that has expired.
    case expire(T.ID)
}

/// An action of a library or of one of its things. Indirect, so that a copy is one reference: that
/// saves a move 2,000 instructions.
@usableFromInline indirect enum AnyAction<T: Thing> {
    case library(LibraryAction<T>)
    case thing(T.ID, T.Action)

    /// `nil`: the library itself.
    @inlinable var target: T.ID? { if case .thing(let id, _) = self { id } else { nil } }

    @inlinable var creates: Bool { if case .library(.create) = self { true } else { false } }

    @inlinable var isSkip: Bool { if case .library(.skip) = self { true } else { false } }

    /// A move to no place, which never has an effect. Its entry only keeps the key of a `send`: one
    /// to this thing (-1), or to the library (-2).
    @inlinable var isKeyOnly: Bool {
        if case .library(.move(_, let place)) = self { place < 0 } else { false }
    }

    @inlinable var keyKeeper: T.ID? {
        if case .library(.move(let id, to: -1)) = self { id } else { nil }
    }

    func encoded() throws -> [UInt8] {
        switch self {
        case .library(let action): try BusdProtocol.encoded(action)
        case .thing(_, let action): try BusdProtocol.encoded(action)
        }
    }
}

/// The outcome of a proposal, for the view model that made it.
public enum ProposalOutcome<ID> {
    /// It had an effect, on this thing.
    case applied(ID)
    /// The rules do not allow it, so it has changed nothing.
    case noEffect
    /// Not applied: it could not be written, its key was known, or the thing had changed. In a
    /// shared log its outcome may also be unknown; then it may still arrive and have an effect.
    case refused
}

/// The outcome of applying an entry.
@usableFromInline enum ApplyOutcome<ID> {
    case applied(ID)
    case noEffect
    /// An entry with the same key was applied before.
    case duplicate
    /// The thing has changed since it was proposed.
    case stale
}

/// The outcome of the proposal of a `send`, for the bus.
@usableFromInline package enum SendOutcome: Hashable {
    case applied
    case noEffect
    case duplicate
    case stale
    case refused
    /// It may be in the log or not.
    case uncertain
    /// It was not appended, because no start could read it: the reason.
    case unreadable(ExactText)
}

/// The thing, or the library, that the sends to a view model change.
public struct Subject {
    private let isKnown: (SendKey) -> Bool
    private let lastEffectOf: () -> Int
    private let isPendingNow: () -> Bool
    /// Proposes an action without an effect. The library remembers the key of its `send`.
    let keepKey: () -> Void
    let isLibrary: Bool

    init<T>(_ library: Library<T>, _ id: T.ID?) {
        isKnown = { library.knows($0, of: id) }
        lastEffectOf = { library.lastEffect(of: id) }
        isPendingNow = { library.isPending(target: id) }
        keepKey = { library.keepKey(of: id) }
        isLibrary = id == nil
    }

    /// Whether a `send` with the key has been applied.
    package func knows(_ key: SendKey) -> Bool { isKnown(key) }
    package var lastEffect: Int { lastEffectOf() }
    package var isPending: Bool { isPendingNow() }
}

/// A proposed action of any library. Its closure is made by code that knows the type of the
/// library, so it is fast (see `Library`).
@usableFromInline final class Proposal {
    /// Without run-time checks for exclusive access: no code that changes it in place calls code
    /// that knows the proposal.
    @exclusivity(unchecked) @usableFromInline var entry: LogEntry
    /// It creates, deletes or moves a thing.
    let changesLibrary: Bool
    /// A view model proposed it while it handled a `send`.
    var isOfSend = false
    private let ended: (Proposal, ProposalFate) -> SendOutcome

    @usableFromInline init(
        _ entry: LogEntry, changesLibrary: Bool,
        end: @escaping (Proposal, ProposalFate) -> SendOutcome
    ) {
        (self.entry, self.changesLibrary, ended) = (entry, changesLibrary, end)
    }

    /// Copies the data of the `send` during which the action was proposed into the entry.
    func copyData(of send: SendContext) {
        (entry.by, entry.uid) = (send.name, send.uid)
        entry.key = send.key
        entry.isSentToLibrary = send.subject?.isLibrary ?? false
        if send.isConditional { entry.unchangedSince = send.subject?.lastEffect }
    }

    func end(_ fate: ProposalFate) -> SendOutcome { ended(self, fate) }
}

@usableFromInline enum ProposalFate {
    case committed
    case needless
    /// It was not appended, because nothing can be written now.
    case unavailable
    /// It was not appended, because no start could read it: the reason.
    case unreadable(ExactText)
    case refused
    case uncertain
}

extension Library {
    @inlinable func propose(
        _ action: AnyAction<T>, _ then: @escaping (ProposalOutcome<T.ID>) -> Void
    ) {
        let record = action.target.flatMap { records[$0] }
        let proposal = Proposal(
            LogEntry(time: libraries.now, kind: T.kind, id: action.target?.description ?? ""),
            changesLibrary: !action.isKeyOnly && record == nil,
            end: { [self] proposal, fate in end(action, proposal, fate, then) })
        libraries.begin(proposal)
        if proposal.entry.key == nil, isNeedless(action, record, at: proposal.entry.time) {
            return libraries.settle(proposal, .needless)
        }
        guard libraries.takesProposals else { return libraries.settle(proposal, .unavailable) }
        if libraries.keepsEntries {
            do {
                proposal.entry.body = try logForm(
                    of: action, in: proposal.entry, isKnown: record != nil)
            } catch {
                return libraries.settle(proposal, libraries.unreadable(proposal.entry, error))
            }
        }
        libraries.number(proposal)
        noteBegin(of: action, record, &proposal.entry)
        libraries.append(proposal)
    }

    /// Whether the action has no effect: nothing is pending for its target, and the rules do not
    /// allow the action now.
    @inlinable func isNeedless(
        _ action: AnyAction<T>, _ record: Record<T>?, at time: Instant
    ) -> Bool {
        switch action {
        case .library(.expire(let id)): pending.isEmpty && !isExpired(id, at: time)
        case .library(let action): pending.isEmpty && !libraryState.hasEffect(action)
        case .thing(let id, let action):
            !isPending(id, record) && !hasEffect(action, on: record, at: time)
        }
    }

    @inlinable func isPending(_ id: T.ID, _ record: Record<T>?) -> Bool {
        if let record { record.attention?.pending.isEmpty == false } else { isPending(id) }
    }

    @inlinable func hasEffect(
        _ action: T.Action, on record: Record<T>?, at time: Instant
    ) -> Bool {
        if let thing = record?.unpack() {
            thing.value.hasEffect(action, at: time)
        } else {
            T.initial?.hasEffect(action, at: time) ?? false
        }
    }

    /// Counts the entry among those that have not been applied, and links it to the one before.
    @inlinable func noteBegin(
        of action: AnyAction<T>, _ record: Record<T>?, _ entry: inout LogEntry
    ) {
        let more = mostGrowth(by: action)
        growth += more
        guard let id = action.target else {
            entry.previous = pending.isEmpty ? libraryState.lastEntry : pending.newest
            if action.creates { entry.highestID = libraryState.next + pending.creations }
            return pending.add(entry, creates: action.creates, more)
        }
        let attention = openAttention(to: id, record)
        entry.previous =
            attention.pending.isEmpty ? record?.lastEntry ?? 0 : attention.pending.newest
        attention.pending.add(entry, creates: false, more)
    }

    /// The entry is not pending any more.
    @inlinable func noteEnd(of action: AnyAction<T>, _ record: Record<T>?) {
        let more = mostGrowth(by: action)
        growth -= more
        guard let id = action.target else {
            return pending.remove(creates: action.creates, more)
        }
        guard let attention = record == nil ? absent[id] : record?.attention else { return }
        attention.pending.remove(creates: false, more)
        if record == nil, attention.isIdle { absent[id] = nil }
    }

    @inlinable func mostGrowth(by action: AnyAction<T>) -> T.Size {
        switch action {
        case .library(.create(let seed)): T.size(of: T(seed).summary)
        case .library: T.Size.zero
        case .thing(_, let action): T.growth(by: action)
        }
    }

    @inlinable func end(
        _ action: AnyAction<T>, _ proposal: Proposal, _ fate: ProposalFate,
        _ then: (ProposalOutcome<T.ID>) -> Void
    ) -> SendOutcome {
        let record = action.target.flatMap { records[$0] }
        let entry = proposal.entry
        switch fate {
        case .needless: return settle(noEffect(of: action, record, at: entry.time), then)
        case .unavailable: return refuse(.refused, then)
        case .unreadable(let reason): return refuse(.unreadable(reason), then)
        case .committed:
            noteEnd(of: action, record)
            return settle(apply(action, entry, to: record), then)
        case .refused:
            noteEnd(of: action, record)
            return refuse(.refused, then)
        case .uncertain:
            noteEnd(of: action, record)
            return refuse(.uncertain, then)
        }
    }

    @inlinable func settle(
        _ outcome: ApplyOutcome<T.ID>, _ then: (ProposalOutcome<T.ID>) -> Void
    ) -> SendOutcome {
        switch outcome {
        case .applied(let id):
            then(.applied(id))
            return .applied
        case .noEffect:
            then(.noEffect)
            return .noEffect
        case .duplicate: return refuse(.duplicate, then)
        case .stale: return refuse(.stale, then)
        }
    }

    @inlinable func refuse(
        _ outcome: SendOutcome, _ then: (ProposalOutcome<T.ID>) -> Void
    ) -> SendOutcome {
        then(.refused)
        return outcome
    }
}
