import BusdProtocol
import Synchronization

/// What passes between the loop and the writer's thread: jobs there, outcomes back.
final class Mailbox: Sendable {
    enum Job: Sendable {
        case commit(Transaction)
        /// A commit has failed, and what it would have changed has been taken back: what comes now
        /// is to be written again.
        case goOn
        case recall(Address)
        case copy(to: String)
        /// As if the disk had room for so many pages of the database; for tests.
        case limit(pages: Int)
        case close
    }

    /// The keys of an address, and how many are lost.
    typealias Recalled = Result<(keys: [RememberedKey], lost: Int), StoreError>

    private struct Content {
        var jobs: [Job] = []
        /// The writer waits for the bell.
        var isAsleep = false
        var commits: [Result<Void, StoreError>] = []
        var recalled: [(Address, Recalled)] = []
        var reserving: [Result<Void, StoreError>] = []
        var copy: Result<Void, StoreError>?
    }

    private let content = Mutex(Content())
    private let isCommitAnnounced = Atomic(false)
    private let bell: Bell

    init() throws(StoreError) { bell = try Bell() }

    // MARK: The loop's side

    func post(_ job: Job) {
        wakeWriter { $0.jobs.append(job) }
        isCommitAnnounced.store(false, ordering: .relaxed)
    }

    /// A commit is to be posted at the end of this turn, when the writer will be awake. Where none
    /// comes after all, it has waited for as long as it has patience.
    func announceCommit() {
        guard !isCommitAnnounced.exchange(true, ordering: .relaxed) else { return }
        wakeWriter { _ in }
    }

    private func wakeWriter(_ change: (inout Content) -> Void) {
        let wasAsleep = content.withLock { content in
            change(&content)
            defer { content.isAsleep = false }
            return content.isAsleep
        }
        if wasAsleep { bell.ring() }
    }

    /// Of the commit that was posted first.
    func takeCommitOutcome() -> Result<Void, StoreError>? {
        content.withLock { $0.commits.isEmpty ? nil : $0.commits.removeFirst() }
    }

    func takeRecalled() -> [(Address, Recalled)] {
        content.withLock { content in
            defer { content.recalled = [] }
            return content.recalled
        }
    }

    func takeReserving() -> [Result<Void, StoreError>] {
        content.withLock { content in
            defer { content.reserving = [] }
            return content.reserving
        }
    }

    func takeCopyOutcome() -> Result<Void, StoreError>? {
        content.withLock { $0.copy.take() }
    }

    // MARK: The writer's side

    /// Waits for the next job; `nil` when so many milliseconds have passed, -1 never do.
    func next(within milliseconds: Int32, _ patience: inout Patience) -> Job? {
        while true {
            awaitAnnounced()
            let isPatient = patience.looksAgain()
            let job = content.withLock { content in
                content.isAsleep = content.jobs.isEmpty && !isPatient
                return content.jobs.isEmpty ? nil : content.jobs.removeFirst()
            }
            if let job {
                patience.end()
                return job
            }
            if isPatient { continue }
            guard bell.wait(milliseconds: milliseconds) else { return nil }
        }
    }

    /// What the loop is about to post goes to disk with what is there: else it would wait until
    /// that is done.
    private func awaitAnnounced() {
        guard isCommitAnnounced.load(ordering: .relaxed) else { return }
        var patience = Patience(wasShort: true)
        while isCommitAnnounced.load(ordering: .relaxed), patience.looksAgain() {}
        isCommitAnnounced.store(false, ordering: .relaxed)
    }

    /// The commits that have come right behind the one that was taken last.
    func nextCommits() -> [Transaction] {
        content.withLock { content in
            var commits: [Transaction] = []
            while case .commit(let transaction)? = content.jobs.first {
                commits.append(transaction)
                content.jobs.removeFirst()
            }
            return commits
        }
    }

    func commitEnded(_ outcome: Result<Void, StoreError>) {
        content.withLock { $0.commits.append(outcome) }
    }

    func recalled(_ address: Address, _ keys: Recalled) {
        content.withLock { $0.recalled.append((address, keys)) }
    }

    func reservingChanged(_ outcome: Result<Void, StoreError>) {
        content.withLock { $0.reserving.append(outcome) }
    }

    func copyEnded(_ outcome: Result<Void, StoreError>) {
        content.withLock { $0.copy = outcome }
    }
}
