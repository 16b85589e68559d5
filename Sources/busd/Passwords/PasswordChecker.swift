package import Protocol
import Synchronization
package import ViewModels

/// Checks passwords beside the loop: at most two at a time, the others wait in their order.
///
/// A check has a thread of its own, which does nothing but the hashing. All else is decided on the
/// loop: which hash is to be met (a stand-in for a user who does not exist, so that it takes as
/// long), whether the name is locked, and what counts as a failure. A name may get locked while a
/// check of it runs, and a user may go; the answer is what is true when it is given.
package final class PasswordChecker: PasswordService {
    /// Whether a password is the one of a hash. It is called on a thread of its own.
    package typealias Verifier = @Sendable (Secret, String) -> PasswordVerdict

    /// In bytes. Nobody who may sign in has a longer name.
    package static let longestName = 200

    private static let mostAtOnce = 2

    private struct Check {
        let username: String
        let password: Secret
        let answer: (PasswordVerdict) -> Void
    }

    private struct Running {
        let check: Check
        let hash: String
        let outcome: Outcome
        let thread: ServiceThread
    }

    private final class Outcome: Sendable {
        let verdict = Mutex<PasswordVerdict?>(nil)
    }

    private let hash: (String) -> String?
    private let clock: any Clock
    private let verifier: Verifier
    private let wake: @Sendable () -> Void

    private var waiting: [Check] = []
    private var running: [Running] = []
    private var failures = FailedLogins()

    /// - Parameters:
    ///   - hash: of a user; `nil` where there is no such user.
    ///   - wake: called, on any thread, when it is time to `deliver`.
    package init(
        hash: @escaping (String) -> String?, clock: any Clock,
        verifier: @escaping Verifier = { PasswordHash.check($0, against: $1) },
        wake: @escaping @Sendable () -> Void
    ) {
        self.hash = { $0.utf8.count <= Self.longestName ? hash($0) : nil }
        self.clock = clock
        self.verifier = verifier
        self.wake = wake
    }

    deinit { close() }

    package func check(
        _ password: Secret, of username: String, _ answer: @escaping (PasswordVerdict) -> Void
    ) {
        waiting.append(Check(username: username, password: password, answer: answer))
        wake()
    }

    /// On the loop: answers what has been checked, and goes on with what waits.
    package func deliver() {
        for (running, verdict) in takeFinished() {
            running.thread.join()
            running.check.answer(judge(running, verdict))
        }
        while running.count < Self.mostAtOnce, let next = waiting.first {
            waiting.removeFirst()
            if failures.isLocked(next.username, at: clock.now) {
                next.answer(.wrong)
            } else {
                start(next)
            }
        }
    }

    /// Waits for the checks under way, which are not answered any more.
    package func close() {
        waiting = []
        for running in running { running.thread.join() }
        running = []
    }

    // MARK: Checks

    private func start(_ check: Check) {
        let (verifier, wake, password) = (verifier, wake, check.password)
        let (hash, outcome) = (hash(check.username) ?? PasswordHash.ofNobody, Outcome())
        do {
            let thread = try ServiceThread {
                let verdict = verifier(password, hash)
                outcome.verdict.withLock { $0 = verdict }
                wake()
            }
            running.append(Running(check: check, hash: hash, outcome: outcome, thread: thread))
        } catch {
            check.answer(.unknown)
        }
    }

    private func takeFinished() -> [(Running, PasswordVerdict)] {
        var finished: [(Running, PasswordVerdict)] = []
        running.removeAll { running in
            guard let verdict = running.outcome.verdict.withLock({ $0 }) else { return false }
            finished.append((running, verdict))
            return true
        }
        return finished
    }

    private func judge(_ running: Running, _ verdict: PasswordVerdict) -> PasswordVerdict {
        let name = running.check.username
        if verdict == .unknown { return .unknown }
        guard !failures.isLocked(name, at: clock.now) else { return .wrong }
        guard verdict == .right, hash(name) == running.hash else {
            failures.failed(name, at: clock.now)
            return .wrong
        }
        failures.succeeded(name)
        return .right
    }
}
