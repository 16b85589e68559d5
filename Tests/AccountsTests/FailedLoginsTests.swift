import BusdProtocol
import Testing

@testable import BusdAccounts

struct FailedLoginsTests {
    private var failures = FailedLogins()
    private let start = Instant(microseconds: 0)

    private mutating func fail(
        _ name: String, _ times: Int, uid: Int = 1, at now: Instant? = nil
    ) {
        for _ in 0..<times { failures.failed(name, for: uid, at: now ?? start) }
    }

    private func isLocked(_ name: String, uid: Int = 1, at now: Instant? = nil) -> Bool {
        failures.isLocked(name, for: uid, at: now ?? start)
    }

    @Test mutating func `Five failures in a row lock a name for 30 seconds`() {
        fail("ann", 4)
        #expect(!isLocked("ann"))
        fail("ann", 1)
        #expect(isLocked("ann"))
        #expect(isLocked("ann", at: start + .seconds(29.999)))
        #expect(!isLocked("ann", at: start + .seconds(30)))
        #expect(!isLocked("bob"))
    }

    @Test mutating func `After a lock, a name may fail five times again`() {
        fail("ann", 5)
        fail("ann", 4, at: start + .seconds(30))
        #expect(!isLocked("ann", at: start + .seconds(30)))
        fail("ann", 1, at: start + .seconds(31))
        #expect(isLocked("ann", at: start + .seconds(60.9)))
    }

    @Test mutating func `Names of failed logins are compared byte by byte`() {
        fail("Zo\u{EB}", 5)
        #expect(isLocked("Zo\u{EB}"))
        #expect(!isLocked("Zoe\u{308}"))
    }

    @Test mutating func `Failures of one uid do not count for another`() {
        fail("ann", 5, uid: 2)
        #expect(isLocked("ann", uid: 2))
        #expect(!isLocked("ann", uid: 1))
        fail("ann", 4, uid: 1)
        #expect(!isLocked("ann", uid: 1))
    }

    @Test mutating func `Twenty-five failures within 30 seconds lock a name for all uids`() {
        for uid in 2...6 { fail("ann", 4, uid: uid) }
        fail("ann", 4, uid: 7, at: start + .seconds(29.999))
        #expect(!isLocked("ann", at: start + .seconds(29.999)))
        fail("ann", 1, uid: 8, at: start + .seconds(29.999))
        #expect(isLocked("ann", at: start + .seconds(29.999)))
        #expect(isLocked("ann", at: start + .seconds(59.998)))
        #expect(!isLocked("ann", at: start + .seconds(59.999)))
        #expect(!isLocked("bob", at: start + .seconds(30)))
    }

    @Test mutating func `The count of the failures of all uids restarts after 30 seconds`() {
        for uid in 2...7 { fail("ann", 4, uid: uid) }
        fail("ann", 1, uid: 8, at: start + .seconds(30))
        #expect(!isLocked("ann", at: start + .seconds(30)))
    }

    @Test mutating func `A uid that has signed in is not locked by the failures of others`() {
        failures.succeeded("ann", for: 1)
        for uid in 2...8 { fail("ann", 4, uid: uid) }
        #expect(isLocked("ann", uid: 9))
        #expect(!isLocked("ann", uid: 1))
        fail("ann", 5, uid: 1)
        #expect(isLocked("ann", uid: 1))
    }

    @Test mutating func `A uid that has signed in stays known when 4,096 other names fail`() {
        failures.succeeded("ann", for: 1)
        for number in 0..<FailedLogins.mostNames { fail("x\(number)", 1, uid: 2) }
        for uid in 2...8 { fail("ann", 4, uid: uid) }
        #expect(isLocked("ann", uid: 9))
        #expect(!isLocked("ann", uid: 1))
    }

    @Test mutating func `A success resets the count of failures`() {
        fail("ann", 4)
        failures.succeeded("ann", for: 1)
        fail("ann", 4)
        #expect(!isLocked("ann"))
        #expect(failures.count == 1)
    }

    @Test mutating func `The names with the oldest failures make room for others`() {
        fail("ann", 4)
        fail("bob", 4)
        fail("ann", 0)
        for number in 0..<(FailedLogins.mostNames - 1) { fail("x\(number)", 1) }
        #expect(failures.count == FailedLogins.mostNames)
        // Ann's failures were dropped, Bob's were kept.
        fail("bob", 1)
        fail("ann", 1)
        #expect(isLocked("bob"))
        #expect(!isLocked("ann"))
    }
}
