package import BusdProtocol
import BusdViewModels

/// Everything durable, in a folder. The loop changes it in memory and hands the changes over, one
/// transaction after the other, to a thread that writes them; the loop itself never waits for the
/// disk.
///
/// The changes of a transaction count when its outcome is a success. Until then they are in memory
/// only, and `rollBack` takes them back. While one is written the next may wait for its end, so
/// that the disk has something to do while the loop tells of the first.
///
///     if store.hasChanges { store.commit() }         // at the end of a turn
///     switch store.takeOutcome() {                   // at once, and after each wake
///     case nil: …                                    // on its way, or nothing to do
///     case .success: …                               // answers and events may go out
///     case .failure(let error): store.rollBack()     // and what has waited is refused
///     }
package final class Store {
    package let games: StoredGames
    package let books: StoredBooks
    package let users: StoredUsers
    /// What was not as it should be when the store was opened, for the log.
    package let findings: [String]

    /// Since the last commit.
    private var keys: [KeyChange] = []
    private var recalls = Recalls()
    /// Commits on their way.
    package private(set) var commitsUnderWay = 0
    /// A commit has failed, and was not rolled back yet.
    private var hasFailed = false
    private var patience = Patience()

    /// `nil` where nothing is kept.
    private let mailbox: Mailbox?
    /// `nil` once it has ended.
    private var thread: ServiceThread?
    private var lock: FolderLock?

    /// Opens the store in a folder, which is made where it is missing, and reads it. `wake` is
    /// called on another thread when a commit or a backup has ended.
    package convenience init(
        folder: String, durability: Durability, wake: @escaping @Sendable () -> Void
    ) throws(StoreError) {
        try self.init(
            folder: folder, durability: durability, steps: Schema.steps, wake: wake)
    }

    init(
        folder: String, durability: Durability, steps: [String],
        wake: @escaping @Sendable () -> Void
    ) throws(StoreError) {
        var loaded = Loaded()
        if durability == .none {
            mailbox = nil
        } else {
            let folder = StoreFolder(path: folder)
            let start = try Start(
                Opening(folder: folder, durability: durability, steps: steps), wake: wake)
            loaded = start.loaded
            mailbox = start.mailbox
            thread = start.thread
            lock = start.lock
        }
        games = StoredGames(loaded.games, nextID: loaded.nextGame)
        books = StoredBooks(loaded.books, nextID: loaded.nextBook)
        users = StoredUsers(loaded.users)
        findings = loaded.findings
    }

    deinit { close() }

    // MARK: Commits

    /// Something has changed since the last commit took it along.
    package var hasChanges: Bool {
        games.hasChanges || books.hasChanges || users.hasChanges || !keys.isEmpty
    }

    /// What it took since the last time to unpack things, and will take to pack them again. A unit
    /// is a few nanoseconds, as in the costs of the bus.
    package func takeWork() -> Int { games.takeWork() + books.takeWork() }

    /// Hands all changes over as one transaction. Does nothing where there is nothing to write.
    package func commit() {
        precondition(  // holds: StoreJournal rolls back first
            !hasFailed, "a commit has failed, and was not rolled back")
        guard hasChanges else { return }
        commitsUnderWay += 1
        var transaction = Transaction()
        games.takeOff(with: &transaction)
        books.takeOff(with: &transaction)
        users.takeOff(with: &transaction)
        transaction.keys = keys
        keys = []
        mailbox?.post(.commit(transaction))
    }

    /// A commit will be handed over when all is done that there is to do now.
    package func announceCommit() { mailbox?.announceCommit() }

    /// Of the commit that has been on its way longest, once; `nil` while it is. Of those behind one
    /// that has failed there is none.
    package func takeOutcome() -> Result<Void, StoreError>? {
        guard commitsUnderWay > 0, !hasFailed else { return nil }
        // Nothing can fail where nothing is kept.
        let outcome = mailbox == nil ? .success(()) : mailbox?.takeCommitOutcome()
        if outcome != nil { patience.end() }
        switch outcome {
        case nil: break
        case .success:
            games.land()
            books.land()
            users.land()
            commitsUnderWay -= 1
        case .failure: hasFailed = true
        }
        return outcome
    }

    /// Whether the loop had better look for the outcome again than wait to be woken.
    package func isDueSoon() -> Bool {
        commitsUnderWay > 0 && !hasFailed && patience.looksAgain()
    }

    /// Whether ids can be reserved: each time that this has changed, which is no later than the
    /// outcome of a commit.
    package func takeReserving() -> [Result<Void, StoreError>] { mailbox?.takeReserving() ?? [] }

    /// After a commit has failed: takes back what it had and all that has changed since, and the
    /// feed tells of it. Afterwards everything is as it is on disk.
    package func rollBack() {
        precondition(  // holds: StoreJournal waits for its end
            commitsUnderWay == 0 || hasFailed, "a commit is on its way")
        if hasFailed { mailbox?.post(.goOn) }
        hasFailed = false
        commitsUnderWay = 0
        keys = []
        users.rollBack()
        games.rollBack()
        books.rollBack()
    }

    /// Notes the time of the games that are running: after a crash they have the time of the last
    /// commit with such a note.
    package func markRunning(at now: Instant) { games.markRunning(at: now) }

    // MARK: Keys

    /// Remembers the key of a `send`, and the events that it caused. The last 1,024 of each address
    /// are kept.
    package func remember(key: String, of address: Address, answer: ClosedRange<Int>?) {
        keys.append(.remember((key, answer), of: address))
    }

    /// Forgets the keys of the address, and of all below it.
    package func forget(keysBelow address: Address) { keys.append(.forget(address)) }

    /// What is on disk of an address, oldest first and code point by code point; `nil` while that
    /// is being read. Ask again after a wake.
    package func recallKeys(of address: Address) -> Result<[RememberedKey], StoreError>? {
        guard let mailbox else { return .success([]) }
        if let recalled = recalls.take(address) { return recalled }
        if recalls.begin(address) { mailbox.post(.recall(address)) }
        return nil
    }

    /// Whether something has been read, and what was not as it should be.
    package func takeRecalled() -> (isNew: Bool, findings: [String]) {
        guard let recalled = mailbox?.takeRecalled(), !recalled.isEmpty else { return (false, []) }
        recalls.forgetUntaken()
        return (true, recalled.compactMap { recalls.end($0, $1) })
    }

    // MARK: Backups, the end

    /// Writes a consistent copy to a file, in place of one that is there. Commits wait meanwhile,
    /// the loop does not.
    package func backup(to path: String) { mailbox?.post(.copy(to: path)) }

    /// Of the last backup, once; `nil` while it is being written.
    package func takeBackupOutcome() -> Result<Void, StoreError>? { mailbox?.takeCopyOutcome() }

    /// Waits for what has been handed over, of which the outcome can still be taken, and closes the
    /// files.
    package func close() {
        guard let thread else { return }
        mailbox?.post(.close)
        thread.join()
        self.thread = nil
        lock = nil
    }

    /// As if the disk had room for so many pages; for tests.
    func limit(pages: Int) { mailbox?.post(.limit(pages: pages)) }
}
