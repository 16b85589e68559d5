import BusdProtocol
import Synchronization

/// State that the loop and the threads of a store share: outcomes from the threads, and the newest
/// note from the loop.
final class SharedState: Sendable {
    struct Content {
        var outcomes = Queue<LogOutcome>()
        var note: (time: Instant, number: Int)?
        var isSavingStates = false
        var statesOutcome: Result<Void, StoreError>?
        var backupOutcome: Result<Void, StoreError>?
        /// Why the entries at the start could not be read.
        var readingFailure: StoreError?
        var isClosing = false
    }

    private let content = Mutex(Content())
    private let isReady = Atomic(true)
    /// A round should begin now: states were lost, or the log is long and can be cut once the
    /// states are newer.
    let wantsStates = Atomic(false)

    /// Entries can be appended.
    var isAvailable: Bool {
        get { isReady.load(ordering: .acquiring) }
        set { isReady.store(newValue, ordering: .releasing) }
    }

    func change<Value: Sendable>(_ body: (inout Content) -> Value) -> Value {
        content.withLock { body(&$0) }
    }
}
