// How entries of the log change the things of a library.

extension Library {
    /// The only method that changes a thing.
    @inlinable func apply(_ action: AnyAction<T>, _ entry: LogEntry) -> ApplyOutcome<T.ID> {
        apply(action, entry, to: action.target.flatMap { records[$0] })
    }

    /// - Parameter record: of the thing that the action is on; `nil`: there is none.
    @inlinable func apply(
        _ action: AnyAction<T>, _ entry: LogEntry, to record: Record<T>?
    ) -> ApplyOutcome<T.ID> {
        link(entry, to: action.target == nil ? libraryState.lastEntry : record?.lastEntry ?? 0)
        let outcome = outcome(of: action, entry, record)
        switch outcome {
        case .applied: libraryState.lastEffect = entry.number
        case .noEffect where action.isSkip: break
        case .noEffect, .duplicate, .stale: dirty.amend(.remove(entry.number), of: action.target)
        }
        dirty.insert(nil)
        return outcome
    }

    /// An entry without an effect is not the last of its thing, because it is removed from the log.
    /// If another entry was proposed meanwhile, that one follows it, and is linked anew.
    @inlinable func link(_ entry: LogEntry, to last: Int) {
        guard entry.previous != last, entry.previous > 0, !entry.isWhole else { return }
        dirty.amend(.link(entry.number, to: last), of: nil)
    }

    @inlinable func outcome(
        of action: AnyAction<T>, _ entry: LogEntry, _ record: Record<T>?
    ) -> ApplyOutcome<T.ID> {
        let isOfLibrary = entry.isSentToLibrary || action.target == nil
        let subject = isOfLibrary ? action.keyKeeper : action.target
        if let key = entry.key, knows(key, of: subject) { return .duplicate }
        if let unchangedSince = entry.unchangedSince {
            guard lastEffect(of: isOfLibrary ? nil : subject) <= unchangedSince else {
                return .stale
            }
            if isOfLibrary { dirty.amend(.decide(entry.number), of: nil) }
        }
        let outcome = applyUnconditionally(action, entry, record)
        if case .stale = outcome { return outcome }
        if let key = entry.key { remember(key, of: subject) }
        return outcome
    }

    /// The outcome of an action that has no effect.
    @inlinable func noEffect(
        of action: AnyAction<T>, _ record: Record<T>?, at time: Instant
    ) -> ApplyOutcome<T.ID> {
        guard case .thing(_, let action) = action, let thing = record?.value else {
            return .noEffect
        }
        return thing.isOutdated(action, at: time) ? .stale : .noEffect
    }

    @inlinable func applyUnconditionally(
        _ action: AnyAction<T>, _ entry: LogEntry, _ record: Record<T>?
    ) -> ApplyOutcome<T.ID> {
        switch action {
        case .thing(let id, let action): apply(action, to: id, record, entry)
        case .library(let action): apply(action, entry)
        }
    }

    @inlinable func apply(
        _ action: T.Action, to id: T.ID, _ record: Record<T>?, _ entry: LogEntry
    ) -> ApplyOutcome<T.ID> {
        guard let record else { return begin(id, with: action, entry) }
        let before = record.summary
        guard record.apply(action, at: entry.time) else {
            return noEffect(of: .thing(id, action), record, at: entry.time)
        }
        dirty.insert(id)
        (record.lastEntry, record.lastEffect) = (entry.number, entry.number)
        total += T.size(of: record.summary) - T.size(of: before)
        if let thing = record.value {
            notify(
                .changed(id, record.summary, before: before), record.attention?.followers,
                with: thing)
        }
        return .applied(id)
    }

    /// The first action on a thing that has an `initial` value.
    @inlinable func begin(
        _ id: T.ID, with action: T.Action, _ entry: LogEntry
    ) -> ApplyOutcome<T.ID> {
        guard var thing = T.initial, thing.apply(action, at: entry.time) else { return .noEffect }
        libraryState.order.append(id)
        insert(thing, id, entry)
        return .applied(id)
    }

    @inlinable func insert(_ thing: T, _ id: T.ID, _ entry: LogEntry) {
        let record = Record(thing, entry.number)
        place(record, as: id)
        total += T.size(of: record.summary)
        dirty.insert(id)
        notify(.created(id, record.summary), record.attention?.followers, with: thing)
    }

    @inlinable func apply(_ action: LibraryAction<T>, _ entry: LogEntry) -> ApplyOutcome<T.ID> {
        guard let outcome = effect(of: action, entry) else { return .noEffect }
        libraryState.lastEntry = entry.number
        return outcome
    }

    /// `nil`: the action has no effect.
    @inlinable func effect(
        of action: LibraryAction<T>, _ entry: LogEntry
    ) -> ApplyOutcome<T.ID>? {
        switch action {
        case .create(let seed):
            guard let id = libraryState.create() else { return nil }
            insert(T(seed), id, entry)
            return .applied(id)
        case .delete(let id): return delete(id)
        case .expire(let id): return isExpired(id, at: entry.time) ? delete(id) : nil
        case .move(let id, let place):
            guard libraryState.move(id, to: place) else { return nil }
            notify(.moved(id, to: place), nil, with: nil)
            return .applied(id)
        case .skip(let number):
            libraryState.skip(to: number)
            // The entry may replace a creation, which had an effect.
            if number > 0 { libraryState.lastEffect = entry.number }
            return .noEffect
        }
    }

    @inlinable func delete(_ id: T.ID) -> ApplyOutcome<T.ID>? {
        libraryState.order.removeAll { $0 == id }
        // The order may have come from a cut log, without the thing.
        guard let record = records[id] else { return nil }
        let followers = record.attention?.followers
        record.attention?.followers = nil
        remove(id)
        total -= T.size(of: record.summary)
        dirty.remove(id, lastEntry: record.lastEntry)
        notify(.deleted(id), followers, with: nil)
        return .applied(id)
    }

    @inlinable func isExpired(_ id: T.ID, at time: Instant) -> Bool {
        guard let record = records[id], let expiry = T.expiry(of: record.summary) else {
            return false
        }
        return expiry <= time
    }

    @inlinable func notify(_ change: LibraryChange<T>, _ followers: Followers<T>?, with thing: T?) {
        guard !libraries.isReplaying else { return }
        followers?.notify(thing)
        notify.send(value: change)
    }

    // MARK: Keys

    /// The library may know the key of a thing: from a `send` that proposed nothing, or before the
    /// thing existed.
    @inlinable func knows(_ key: SendKey, of target: T.ID?) -> Bool {
        if let target, records[target]?.keys.contains(key) == true { return true }
        return libraryState.keys.contains(key)
    }

    /// Proposes an action that only keeps the key of a `send`.
    func keepKey(of target: T.ID?) {
        guard let any = T.ID.numbered(1) ?? T.ID("none") else { return }
        if let target { move(target, to: -1) } else { move(any, to: -2) }
    }

    @inlinable func lastEffect(of target: T.ID?) -> Int {
        target.map { records[$0]?.lastEffect ?? 0 } ?? libraryState.lastEffect
    }

    @inlinable func remember(_ key: SendKey, of target: T.ID?) {
        guard let target, let record = records[target] else {
            return libraryState.keys.insert(key)
        }
        record.keys.insert(key)
        dirty.insert(target)
    }
}
