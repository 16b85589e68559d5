// The library's side of a store: states to save, and loading at a start.

extension Library: AnyLibrary {
    var kind: String { T.kind }
    var check: KindCheck { KindCheck(T.self) }
    var hasUnsavedStates: Bool { !dirty.isEmpty }
    var measuresTime: Bool { T.measuresTime(size) }
    var keepsHistory: Bool { T.keepsHistory }
    var beginsByItself: Bool { T.initial != nil }

    func finishSavingStates(successfully isSaved: Bool) {
        if !isSaved { dirty.giveBack(saving) }
        _ = saving.take()
    }

    func takeUnsavedStates() -> [() throws -> StateChange] {
        let taken = dirty.take(isPending: isPending(target:))
        saving = taken
        let removals = taken.removals.map { id, lastEntry in
            { () throws -> StateChange in
                .remove(kind: T.kind, id: id.description, lastEntry: lastEntry)
            }
        }
        let amendments = taken.amendments.map { amendment, _ in
            { () throws -> StateChange in .amend(amendment) }
        }
        return amendments + removals
            + taken.changed.compactMap { target in
                guard let id = target else {
                    let libraryState = libraryState
                    return { .save(try libraryState.saved(), keepsHistory: true) }
                }
                guard let saved = records[id]?.saving(id) else { return nil }
                return { .save(try saved(), keepsHistory: T.keepsHistory) }
            }
    }

    func allStates() -> [() throws -> SavedState] {
        let libraryState = libraryState
        return records.map { id, record in record.saving(id) } + [{ try libraryState.saved() }]
    }

    /// Packs the next things that were not used since the last call: only their encoded form stays.
    ///
    /// - Returns: whether all things have been examined.
    func packSome() -> Bool {
        let end = min(packed + Self.packedTogether, libraryState.order.count)
        var bytes = 0
        while packed < end, bytes < Self.bytesPackedTogether {
            bytes += records[libraryState.order[packed]]?.pack() ?? 0
            packed += 1
        }
        guard packed >= libraryState.order.count else { return false }
        packed = 0
        return true
    }

    /// Packing them takes at most 2 ms, unless the last is a large book.
    private static var packedTogether: Int { 64 }
    /// Bytes after which no other one is packed.
    private static var bytesPackedTogether: Int { 1 << 16 }

    func load(_ states: [SavedState]) {
        for state in states { load(state) }
        completeOrder()
    }

    private func load(_ state: SavedState) {
        do throws(WireError) {
            guard !state.id.isEmpty else {
                libraryState = try LibraryState(saved: state)
                return
            }
            let id = try Self.id(state.id)
            let record = try Record<T>(saved: state)
            if let before = place(record, as: id) { total -= T.size(of: before.summary) }
            total += T.size(of: record.summary)
        } catch {
            findings.append("\(T.kind) \(state.id.printable) cannot be read: \(error.message)")
        }
    }

    /// Call it after older states and the entries behind them were applied. The states in
    /// `remaining`, which can be read, replace the result. Then all states are unsaved.
    func rebuild(with remaining: [SavedState]) {
        for state in remaining { load(state) }
        if remaining.contains(where: \.id.isEmpty) { removeUnlisted() }
        completeOrder()
        for id in records.keys { dirty.insert(id) }
        dirty.insert(nil)
    }

    /// An id without a record is reported as lost. A record without a place in the order gets the
    /// last one.
    func completeOrder() {
        for id in libraryState.order where records[id] == nil {
            let name = "\(T.kind) \(id.description.printable) "
            let isReported = findings.contains { $0.utf8.starts(with: name.utf8) }
            if !isReported { findings.append("\(name)is lost") }
        }
        libraryState.order.removeAll { records[$0] == nil }
        guard libraryState.order.count < records.count else { return }
        let known = Set(libraryState.order)
        libraryState.add(
            records.keys.filter { !known.contains($0) }.sorted {
                ($0.description.utf8.count, ExactText($0.description))
                    < ($1.description.utf8.count, ExactText($1.description))
            })
    }

    func replay(_ entry: LogEntry) {
        guard !isOfLost(entry) else { return }
        do throws(WireError) {
            _ = try apply(entry)
        } catch {
            findings.append("\(entry.title) cannot be read: \(error.message): \(lose(entry))")
        }
    }

    /// Returns whether the entry had an effect.
    func apply(_ entry: LogEntry) throws(WireError) -> Bool {
        guard !entry.holdsState else {
            try replace(with: SavedState(sharedForm: entry.body))
            if entry.isSentToLibrary, let key = entry.key { remember(key, of: nil) }
            return true
        }
        return if case .applied = apply(try Self.action(of: entry), entry) { true } else { false }
    }

    /// Replaces a thing, or the library itself, by a state that the log has instead of entries. The
    /// order of the library may have things that later entries contain.
    private func replace(with state: SavedState) throws(WireError) {
        guard state.id.isEmpty else {
            let id = try Self.id(state.id)
            load(state)
            dirty.insert(id)
            if !libraryState.order.contains(id) { libraryState.add([id]) }
            // The entry may be in the place of the thing's creation.
            if let number = Int(peer: state.id), T.ID.numbered(number) == id {
                libraryState.skip(to: number)
            }
            if let record = records[id], let thing = record.value {
                notify(
                    .created(id, record.summary), record.attention?.followers, with: thing)
            }
            return
        }
        libraryState = try LibraryState(saved: state)
        removeUnlisted()
        dirty.insert(nil)
    }

    /// Removes the things that are not in the order.
    private func removeUnlisted() {
        let present = Set(libraryState.order)
        for (id, record) in records where !present.contains(id) {
            total -= T.size(of: record.summary)
            remove(id)
        }
    }

    // MARK: A shared log

    /// Sets the members that follow from the state before the entry.
    func complete(_ entry: inout LogEntry) {
        let record = T.ID(entry.id).flatMap { records[$0] }
        entry.previous = entry.id.isEmpty ? libraryState.lastEntry : record?.lastEntry ?? 0
        // Any entry on the library may be a creation.
        entry.highestID = entry.id.isEmpty && T.ID.numbered(1) != nil ? libraryState.next : 0
    }

    func encodedSummary(of id: String) -> [UInt8] {
        guard let summary = T.ID(id).flatMap({ records[$0]?.summary }) else { return [] }
        return (try? encoded(summary)) ?? []
    }
}
