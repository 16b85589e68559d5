// The states of all libraries: what a start reads, so that it applies only the newest entries.

extension Libraries {
    package var hasUnsavedStates: Bool { all.contains { $0.hasUnsavedStates } }

    /// The changes of states since the last call, complete as of the entry `applied`. Each element
    /// encodes one state when it is called.
    package func takeUnsavedStates() -> [() throws -> StateChange] {
        all.flatMap { $0.takeUnsavedStates() }
    }

    /// All states, complete as of `applied`. Each element encodes one when it is called.
    package func allStates() -> [() throws -> SavedState] { all.flatMap { $0.allStates() } }

    /// Reports whether the changes that were taken last have been saved. If not, they count as
    /// unsaved again.
    package func finishSavingStates(successfully isSaved: Bool) {
        for library in all { library.finishSavingStates(successfully: isSaved) }
    }

    /// Whether things measure time, so that the time must be saved even if nothing happens.
    package var measuresTime: Bool { all.contains { $0.measuresTime } }

    /// Packs things that were not used since the last round, which saves memory. A call takes about
    /// 2 ms.
    ///
    /// - Returns: whether all things have been examined.
    package func packSome() -> Bool {
        while packing < all.count {
            guard all[packing].packSome() else { return false }
            packing += 1
        }
        packing = 0
        return true
    }

    /// Packs all things after so many bytes of entries of other daemons. A thing may take ten times
    /// the memory of its encoded form.
    func packMany(_ entry: LogEntry) {
        arrivedBytes += entry.size
        guard arrivedBytes > 4 << 20 else { return }
        arrivedBytes = 0
        // The first walk notes that they are not used any more.
        for _ in 0..<2 { while !packSome() {} }
    }
}
