import BusdProtocol
import BusdStorage
import Glibc

/// Makes copies of a store that a daemon serves. There is one path for a copy, beside the store. It
/// is taken while a copy is written, and until the connection that asked for the copy has ended.
final class StoreCopies {
    private let store: Store
    private let path: String
    private let log: DaemonLog
    private var isCopying = false
    /// The number of the connection that asked for the copy.
    private var holder: Int?
    private var answer: ((BusStore.ViewModelEvent) -> Void)?

    init(_ store: Store, in folder: String, _ log: DaemonLog) {
        (self.store, self.log) = (store, log)
        path = Maintenance.copy(in: folder)
    }

    var isTaken: Bool { isCopying || holder != nil }

    /// - Parameter answer: called with the outcome, in a later turn.
    func begin(for connection: Int, _ answer: @escaping (BusStore.ViewModelEvent) -> Void) {
        guard !isTaken else { return }
        isCopying = true
        holder = connection
        self.answer = answer
        store.backup(to: path)
    }

    /// Called once per turn.
    func attend(isConnected: (Int) -> Bool) {
        if isCopying, let outcome = store.takeBackupOutcome() { ended(outcome, isConnected) }
        if !isCopying, let connection = holder, !isConnected(connection) { holder = nil }
    }

    private func ended(_ outcome: Result<Void, StoreError>, _ isConnected: (Int) -> Bool) {
        isCopying = false
        switch outcome {
        case .success:
            log.info("a copy of the store has been made")
            // The command that asked for the copy may have ended.
            if let connection = holder, !isConnected(connection) { unlink(path) }
            answer?(.backedUp(path: path))
        case .failure(let error):
            log.error("no copy of the store could be made: \(error)")
            holder = nil
            answer?(.failed(reason: "\(error)"))
        }
        answer = nil
    }
}
