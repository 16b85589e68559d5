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

@usableFromInline enum AnyAction<T: Thing> {
    case library(LibraryAction<T>)
    case thing(T.ID, T.Action)

    /// `nil`: the library itself.
    @inlinable var target: T.ID? { if case .thing(let id, _) = self { id } else { nil } }

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
        isPendingNow = { library.isPending(id) }
        keepKey = { library.keepKey(of: id) }
        isLibrary = id == nil
    }

    /// Whether a `send` with the key has been applied.
    package func knows(_ key: SendKey) -> Bool { isKnown(key) }
    package var lastEffect: Int { lastEffectOf() }
    package var isPending: Bool { isPendingNow() }
}

/// A proposed action of any library. Its closure, and those passed to `Libraries.propose`, are made
/// by code that knows the type of the library, so they are fast (see `Library`).
@usableFromInline final class Proposal {
    /// Without run-time checks for exclusive access: no code that changes it in place calls code
    /// that knows the proposal.
    @exclusivity(unchecked) var entry: LogEntry
    /// It creates, deletes or moves a thing.
    let changesLibrary: Bool
    let end: (LogEntry, ProposalFate) -> SendOutcome

    @usableFromInline init(
        _ entry: LogEntry, changesLibrary: Bool,
        end: @escaping (LogEntry, ProposalFate) -> SendOutcome
    ) {
        (self.entry, self.changesLibrary, self.end) = (entry, changesLibrary, end)
    }

    /// Copies the data of the `send` during which the action was proposed into the entry.
    func copyData(of send: SendContext) {
        (entry.by, entry.uid) = (send.name, send.uid)
        entry.key = send.key
        entry.isSentToLibrary = send.subject?.isLibrary ?? false
        if send.isConditional { entry.unchangedSince = send.subject?.lastEffect }
    }

    func end(_ fate: ProposalFate) -> SendOutcome { end(entry, fate) }
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
        let target = action.target
        let id = target?.description ?? ""
        let isKnown = target.map(contains) ?? false
        libraries.propose(
            Proposal(
                LogEntry(time: libraries.now, kind: T.kind, id: id),
                changesLibrary: !action.isKeyOnly && !isKnown,
                end: { [self] entry, fate in end(action, entry, fate, then) }),
            isNeedless: { entry in !isPending(target) && !hasEffect(action, at: entry.time) },
            body: { entry in try logForm(of: action, in: entry, isKnown: isKnown) },
            begin: { entry in
                entry.previous = lastEntry(of: target)
                entry.highestID = highestID(of: action)
                began(action, entry)
            })
    }

    @inlinable func end(
        _ action: AnyAction<T>, _ entry: LogEntry, _ fate: ProposalFate,
        _ then: (ProposalOutcome<T.ID>) -> Void
    ) -> SendOutcome {
        switch fate {
        case .needless, .unavailable, .unreadable: break
        case .committed, .refused, .uncertain: ended(action)
        }
        switch fate {
        case .needless: return settle(noEffect(of: action, at: entry.time), then)
        case .committed: return settle(apply(action, entry), then)
        case .unavailable, .refused: return refuse(.refused, then)
        case .unreadable(let reason): return refuse(.unreadable(reason), then)
        case .uncertain: return refuse(.uncertain, then)
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
