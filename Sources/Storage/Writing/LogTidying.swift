import BusdProtocol

/// Removes entries that the saved states have made superfluous, in portions between commits.
///
/// The newest entry of the log always stays: a member of a house compares it with the log in Redis.
struct LogTidying {
    /// Links and decisions come first: they are what makes removals safe.
    private var changes: [LogAmendment] = []
    /// Numbers of entries without an effect. They go before the entries that explain why they had
    /// none.
    private var needless: [Int] = []
    /// Entries of a kind without history first, because they may hold secrets.
    private var walks: [RemovalWalk] = []
    private var cut: LogCut?
    /// The oldest entry without an effect is the newest of the log.
    private var awaitsCommit = false
    /// The last portion failed: everything waits until a commit has succeeded.
    private var isPaused = false

    /// A portion takes 1 to 3 ms.
    static let portion = 256

    var hasWork: Bool {
        guard !isPaused else { return false }
        return !changes.isEmpty || !walks.isEmpty || !needless.isEmpty && !awaitsCommit || canCut
    }

    /// A cut is under way, and its next portion needs nothing from another thread.
    var canCut: Bool { !isPaused && cut?.awaitsStates == false }
    var isCutting: Bool { cut != nil }
    /// Entries that may hold secrets have not been removed yet.
    var hasSecrets: Bool { !isPaused && walks.first?.removal.isOfDeleted == false }

    mutating func add(_ amendments: [LogAmendment]) {
        for amendment in amendments {
            if case .remove(let number) = amendment {
                needless.append(number)
            } else {
                changes.append(amendment)
            }
        }
    }

    mutating func add(_ removals: [Removal]) {
        let more = removals.map(RemovalWalk.init)
        walks.insert(contentsOf: more.filter { !$0.removal.isOfDeleted }, at: walks.startIndex)
        walks += more.filter { $0.removal.isOfDeleted }
    }

    mutating func begin(_ cut: LogCut) { self.cut = cut }

    mutating func cut(_ states: [SavedState]) { cut?.begin(with: states) }

    /// New entries are in the log.
    mutating func committed() { (awaitsCommit, isPaused) = (false, false) }

    /// A portion could not be written. A cut begins anew; all else goes on after the next commit.
    mutating func failed() {
        isPaused = true
        cut = nil
    }

    enum Outcome {
        case more
        /// The entries of a removal are gone.
        case removed(Removal)
        /// The cut needs the saved states of these things.
        case needs([ThingKey])
        /// The cut is complete; `nil`: nothing could be cut.
        case cut(String?)
    }

    mutating func goOn(_ connection: Database) throws(StoreError) -> Outcome {
        if !changes.isEmpty {
            try change(connection)
        } else if !needless.isEmpty, !awaitsCommit {
            try removeNeedless(connection)
        } else if !walks.isEmpty {
            if try walks[0].goOn(connection) { return .removed(walks.removeFirst().removal) }
        } else if var cut {
            self.cut = nil
            let outcome = try cut.goOn(connection)
            if case .cut = outcome { return outcome }
            self.cut = cut
            return outcome
        }
        return .more
    }

    private mutating func change(_ connection: Database) throws(StoreError) {
        let portion = changes.prefix(Self.portion)
        try connection.transaction { () throws(StoreError) in
            for change in portion { try connection.amend(change) }
        }
        changes.removeFirst(portion.count)
    }

    private mutating func removeNeedless(_ connection: Database) throws(StoreError) {
        let newest = try connection.newestEntry()
        let portion = needless.prefix(Self.portion).prefix { $0 < newest }
        awaitsCommit = portion.isEmpty
        guard !awaitsCommit else { return }
        try connection.transaction { () throws(StoreError) in
            for number in portion { try connection.deleteEntry(number) }
        }
        needless.removeFirst(portion.count)
    }
}

extension Database {
    fileprivate func amend(_ amendment: LogAmendment) throws(StoreError) {
        switch amendment {
        case .remove(let number): try deleteEntry(number)
        case .link(let number, to: let previous):
            guard var entry = try entry(number) else { return }
            entry.previous = previous
            try replace(entry)
        case .decide(let number):
            guard var entry = try entry(number) else { return }
            entry.unchangedSince = nil
            try replace(entry)
        }
    }
}
