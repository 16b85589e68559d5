import BusdEventLoop
package import BusdHosting
package import BusdProtocol
import Synchronization

/// Checks passwords on other threads: two at a time, and one at a time per connection.
/// `WaitingChecks` decides which check is next.
///
/// A check has a thread of its own, which only hashes. Everything else is decided on the loop: the
/// hash to compare with (a stand-in if there is no such user, so that the check takes as long),
/// whether the name is locked, and whether the outcome counts as a failure. While a check runs, its
/// name may be locked and its user removed. So both are looked up again before the answer.
///
/// A check that is cancelled while it waits never runs. A check that is cancelled while it runs is
/// not answered, but counts: else a client could guess, disconnect, and guess again.
package final class PasswordChecker: PasswordService {
    /// Compares a password with a hash. It is called on a thread of its own.
    package typealias Verifier = @Sendable (Secret, String) -> PasswordVerdict

    /// In bytes. No user has a longer name.
    package static let longestName = TypedUsername.mostBytes

    private static let mostAtOnce = 2
    /// Most checks that one turn of the loop answers without running them. Finding the next check
    /// takes a millisecond if thousands of connections wait.
    private static let mostRefusals = 2

    private struct Running {
        var check: WaitingChecks.Check
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

    private var waiting = WaitingChecks()
    private var running: [Running] = []
    private var failures = FailedLogins()
    private var lastNumber = 0

    /// - Parameters:
    ///   - hash: returns the hash of a user; `nil` if there is no such user.
    ///   - wake: called on any thread when `deliver` must be called.
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
        _ password: Secret, of username: String, for sender: Sender?,
        _ answer: @escaping (PasswordVerdict) -> Void
    ) -> PasswordCheck {
        lastNumber += 1
        let number = lastNumber
        waiting.append(
            WaitingChecks.Check(
                number: number, username: username, password: password, sender: sender,
                answer: answer))
        wake()
        return PasswordCheck { [weak self] in self?.cancel(number, of: sender) }
    }

    /// Releasing a check or its answer may call this method again. So it is released after the
    /// change.
    private func cancel(_ number: Int, of sender: Sender?) {
        let check = waiting.remove(number, of: sender)
        guard check == nil, let place = running.firstIndex(where: { $0.check.number == number })
        else { return }
        let answer = running[place].check.answer
        running[place].check.answer = nil
        withExtendedLifetime(answer) {}
    }

    /// Called on the loop: answers the checks that have ended, and starts the next.
    package func deliver() {
        for (running, verdict) in takeFinished() {
            running.thread.join()
            let verdict = judge(running, verdict)
            running.check.answer?(verdict)
        }
        startNext()
    }

    /// Waits for running checks, and does not answer them.
    package func close() {
        let dropped = waiting
        waiting = WaitingChecks()
        withExtendedLifetime(dropped) {}
        let last = running
        running = []
        for running in last { running.thread.join() }
    }

    // MARK: Checks

    private func startNext() {
        var refusals = 0
        while running.count < Self.mostAtOnce,
            let next = waiting.next(besides: running.map { $0.check.sender?.connection })
        {
            guard let verdict = start(next) else { continue }
            next.answer?(verdict)
            refusals += 1
            guard refusals < Self.mostRefusals else { return wake() }
        }
    }

    /// Starts a check, or returns its verdict if it cannot run.
    private func start(_ check: WaitingChecks.Check) -> PasswordVerdict? {
        guard !failures.isLocked(check.username, for: check.sender?.uid, at: clock.now) else {
            return .wrong
        }
        let (verifier, wake, password) = (verifier, wake, check.password)
        let (hash, outcome) = (hash(check.username) ?? PasswordHash.dummy, Outcome())
        do {
            let thread = try ServiceThread {
                let verdict = verifier(password, hash)
                outcome.verdict.withLock { $0 = verdict }
                wake()
            }
            running.append(Running(check: check, hash: hash, outcome: outcome, thread: thread))
            return nil
        } catch {
            return .unknown
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
        let (name, uid) = (running.check.username, running.check.sender?.uid)
        if verdict == .unknown { return .unknown }
        guard !failures.isLocked(name, for: uid, at: clock.now) else { return .wrong }
        guard verdict == .right, hash(name) == running.hash else {
            failures.failed(name, for: uid, at: clock.now)
            return .wrong
        }
        failures.succeeded(name, for: uid)
        return .right
    }
}
