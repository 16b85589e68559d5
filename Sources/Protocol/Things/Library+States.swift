// What the library gives to a store, and takes from it at a start.

extension Library: AnyLibrary {
    var kind: String { T.kind }
    var hasUnsavedStates: Bool { !dirty.isEmpty }
    var measuresTime: Bool { T.measuresTime(size) }

    func endStates(successfully isSaved: Bool) {
        if !isSaved { dirty.giveBack(saving) }
        _ = saving.take()
    }

    func takeUnsavedStates() -> [() throws -> StateChange] {
        let taken = dirty.take()
        saving = taken
        let removals = taken.removals.map { id, lastEntry in
            { () throws -> StateChange in
                .remove(kind: T.kind, id: id.description, lastEntry: lastEntry)
            }
        }
        return removals
            + taken.changed.compactMap { target in
                guard let id = target else {
                    let shelf = shelf
                    return { .save(try shelf.saved(), keepsHistory: true) }
                }
                guard let saved = records[id]?.saving(id) else { return nil }
                return { .save(try saved(), keepsHistory: T.keepsHistory) }
            }
    }

    /// Of the next things in order, those that were not used since the last time are kept in their
    /// encoded form only.
    ///
    /// - Returns: whether all things have been examined.
    func packSome() -> Bool {
        let end = min(packed + Self.packedTogether, shelf.order.count)
        while packed < end {
            records[shelf.order[packed]]?.pack()
            packed += 1
        }
        guard packed >= shelf.order.count else { return false }
        packed = 0
        return true
    }

    /// They take two milliseconds at most, unless they are large books.
    private static var packedTogether: Int { 64 }

    func load(_ state: SavedState) {
        do throws(WireError) {
            guard !state.id.isEmpty else { return shelf = try Shelf(saved: state) }
            guard let id = T.ID(state.id) else {
                throw WireError(.badEvent, "\(state.id.printable) is not an id")
            }
            let record = try Record<T>(saved: state)
            records[id] = record
            total += T.size(of: record.summary)
        } catch {
            findings.append("\(T.kind) \(state.id.printable) cannot be read: \(error.message)")
        }
    }

    /// The state of the thing was damaged.
    func rebuild(_ history: ThingHistory) {
        do throws(WireError) {
            load(try Self.state(after: history))
            if let id = T.ID(history.id) { dirty.insert(id) }
        } catch {
            findings.append("\(T.kind) \(history.id.printable) is lost: \(error.message)")
        }
    }

    /// The order of the library is that of its own state. Things that are only there are lost;
    /// things that are not there are the last.
    func loaded() {
        shelf.order.removeAll { records[$0] == nil }
        guard shelf.order.count < records.count else { return }
        let known = Set(shelf.order)
        shelf.add(
            records.keys.filter { !known.contains($0) }.sorted {
                ($0.description.utf8.count, ExactText($0.description))
                    < ($1.description.utf8.count, ExactText($1.description))
            })
    }

    func replay(_ entry: LogEntry) {
        do throws(WireError) {
            let action =
                entry.id.isEmpty
                ? AnyAction<T>.library(try decoded(LibraryAction<T>.self, from: entry.body))
                : try action(entry)
            _ = apply(action, entry)
        } catch {
            findings.append(
                "entry \(entry.number) of \(T.kind) \(entry.id.printable) cannot be read: "
                    + error.message)
        }
    }

    private func action(_ entry: LogEntry) throws(WireError) -> AnyAction<T> {
        guard let id = T.ID(entry.id) else { throw WireError(.badEvent, "this is not an id") }
        return .thing(id, try decoded(T.Action.self, from: entry.body))
    }
}
