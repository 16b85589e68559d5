import BusdEventLoop
import BusdHosting
import Synchronization

/// Reads the policy file again on a thread of its own: a directory service may take seconds for a
/// name.
final class PolicyLoader {
    typealias Outcome = Result<PolicyFile.Content, PolicyFile.Faults>

    private final class Shared: Sendable {
        let outcome = Mutex<Outcome?>(nil)
    }

    private struct Reading {
        let thread: ServiceThread
        let result: Shared
        let done: (Outcome) -> Void
    }

    private let file: PolicyFile
    private let accounts: Accounts
    private let wake: @Sendable () -> Void
    private var reading: Reading?

    /// - Parameter wake: called on any thread when `attend` must be called.
    init(
        _ file: PolicyFile, _ accounts: Accounts = .ofMachine, wake: @escaping @Sendable () -> Void
    ) {
        (self.file, self.accounts, self.wake) = (file, accounts, wake)
    }

    var isReading: Bool { reading != nil }

    /// - Parameter events: the events that a policy can decide.
    /// - Parameter done: called by `attend`, unless this fails.
    func begin(
        _ events: [SendableEvent], _ done: @escaping (Outcome) -> Void
    ) throws(ServiceThread.CreationFailed) {
        let (file, accounts, wake, result) = (file, accounts, wake, Shared())
        let thread = try ServiceThread {
            let outcome = Result { () throws(PolicyFile.Faults) in
                try file.read(accounts) { events }
            }
            result.outcome.withLock { $0 = outcome }
            wake()
        }
        reading = Reading(thread: thread, result: result, done: done)
    }

    /// Called once per turn.
    func attend() {
        guard let reading, let outcome = reading.result.outcome.withLock({ $0 }) else { return }
        reading.thread.join()
        self.reading = nil
        reading.done(outcome)
    }
}
