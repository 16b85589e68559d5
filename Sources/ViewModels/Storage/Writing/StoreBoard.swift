import BusdProtocol
import Synchronization

/// What the threads of a store show to the loop, and the newest note of the loop.
final class StoreBoard: Sendable {
    struct Content {
        var outcomes: [LogOutcome] = []
        var note: (time: Instant, number: Int)?
        var isSavingStates = false
        var statesOutcome: Result<Void, StoreError>?
        var backupOutcome: Result<Void, StoreError>?
        var isClosing = false
    }

    private let content = Mutex(Content())
    private let isReady: Atomic<Bool>
    /// The store is of an older version and can't be brought to this one now.
    let needsMigration: Atomic<Bool>

    init(needsMigration: Bool) {
        isReady = Atomic(!needsMigration)
        self.needsMigration = Atomic(needsMigration)
    }

    /// Entries can be appended.
    var isAvailable: Bool {
        get { isReady.load(ordering: .acquiring) }
        set { isReady.store(newValue, ordering: .releasing) }
    }

    func change<Value: Sendable>(_ body: (inout Content) -> Value) -> Value {
        content.withLock { body(&$0) }
    }
}
