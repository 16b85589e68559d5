import BusdEventLoop
import BusdHosting
import BusdProtocol
import Glibc
import Synchronization
import Testing

@testable import BusdAccounts

/// A checker, its users (the hash of a password is the password), and its callers.
final class CheckerFixture {
    var users: [String: String] = [:]
    let time = Timeline()
    let verifier: FakeVerifier
    private(set) var answers: [PasswordVerdict] = []
    /// Passwords in the order in which their checks were answered.
    private(set) var answered: [String] = []
    private var asked = 0
    private var checks: [(password: String, check: PasswordCheck)] = []
    private(set) lazy var checker = PasswordChecker(
        hash: { [weak self] in self?.users[$0] }, clock: time,
        verifier: { [verifier] in verifier.check($0, against: $1) },
        wake: { [verifier] in verifier.wake() })

    init() throws { verifier = try FakeVerifier() }

    /// - Parameter connection: `nil` stands for a new connection.
    func check(_ name: String, _ password: String, uid: Int = 1, connection: Int? = nil) {
        asked += 1
        let sender = Sender(connection: connection ?? 10_000 + asked, uid: uid)
        let check = checker.check(Secret(password), of: name, for: sender) { [weak self] in
            self?.answers.append($0)
            self?.answered.append(password)
        }
        checks.append((password, check))
    }

    /// Drops the checks of a password, as if their clients had closed.
    func drop(_ password: String) {
        let count = checks.count
        checks.removeAll { $0.password == password }
        asked -= count - checks.count
    }

    /// Waits until all checks are answered.
    func checkAll() { awaitAnswers(asked) }

    func awaitAnswers(_ count: Int) {
        checker.deliver()
        while answers.count < count {
            guard verifier.awaitWake() else {
                Issue.record("waited for an answer in vain")
                return
            }
            checker.deliver()
        }
        #expect(answers.count == count)
    }

    func fail(_ name: String, _ times: Int, uid: Int = 1) {
        for _ in 0..<times {
            check(name, "wrong", uid: uid)
            checkAll()
            #expect(answers.last == .wrong)
        }
    }
}

/// Makes the checks: at once, or after `hold()` only as many as `release` allows.
final class FakeVerifier: Sendable {
    private struct State {
        var isHolding = false
        var isFull = false
        var started: [String] = []
        var hashes: [String] = []
        var running = 0
        var mostAtOnce = 0
    }

    private let state = Mutex(State())
    private let tokens: Pipe
    private let starts: Pipe
    private let wakes: Pipe

    init() throws { (tokens, starts, wakes) = (try Pipe(), try Pipe(), try Pipe()) }

    var hashes: [String] { state.withLock { $0.hashes } }
    var mostAtOnce: Int { state.withLock { $0.mostAtOnce } }

    func setFull(_ isFull: Bool) { state.withLock { $0.isFull = isFull } }
    func hold() { state.withLock { $0.isHolding = true } }
    func release(_ count: Int) { for _ in 0..<count { tokens.put() } }
    func wake() { wakes.put() }
    func awaitWake() -> Bool { wakes.take() }

    /// Waits until this many checks have begun; returns their passwords.
    @discardableResult
    func awaitStarted(_ count: Int) -> [String] {
        while true {
            let started = state.withLock { $0.started }
            if started.count >= count { return started }
            guard starts.take() else {
                Issue.record("waited for a check in vain")
                return started
            }
        }
    }

    func check(_ password: Secret, against hash: String) -> PasswordVerdict {
        let text = password.withBytes { String(decoding: $0, as: UTF8.self) }
        let isHolding = state.withLock { state in
            state.started.append(text)
            state.hashes.append(hash)
            state.running += 1
            state.mostAtOnce = max(state.mostAtOnce, state.running)
            return state.isHolding
        }
        starts.put()
        if isHolding { _ = tokens.take() }
        return state.withLock { state in
            state.running -= 1
            return state.isFull ? .unknown : text == hash ? .right : .wrong
        }
    }
}

/// Tokens that one thread puts and another takes.
private final class Pipe: Sendable {
    private let reading: Int32
    private let writing: Int32

    init() throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        (reading, writing) = (ends[0], ends[1])
    }

    deinit {
        close(reading)
        close(writing)
    }

    func put() {
        var byte: UInt8 = 1
        _ = write(writing, &byte, 1)
    }

    /// Waits for a token; false after a minute.
    func take() -> Bool {
        guard Wait.forReadable(reading, milliseconds: 60_000) else { return false }
        var byte: UInt8 = 0
        return read(reading, &byte, 1) == 1
    }
}
