import Protocol
import Testing

@testable import Passwords

struct FailedLoginsTests {
    private var failures = FailedLogins()
    private let start = Instant(microseconds: 0)

    private mutating func fail(_ name: String, _ times: Int, at now: Instant? = nil) {
        for _ in 0..<times { failures.failed(name, at: now ?? start) }
    }

    @Test mutating func `five failures in a row lock a name for 30 seconds`() {
        fail("ann", 4)
        #expect(!failures.isLocked("ann", at: start))
        fail("ann", 1)
        #expect(failures.isLocked("ann", at: start))
        #expect(failures.isLocked("ann", at: start + .seconds(29.999)))
        #expect(!failures.isLocked("ann", at: start + .seconds(30)))
        #expect(!failures.isLocked("bob", at: start))
    }

    @Test mutating func `then it has five again`() {
        fail("ann", 5)
        fail("ann", 4, at: start + .seconds(30))
        #expect(!failures.isLocked("ann", at: start + .seconds(30)))
        fail("ann", 1, at: start + .seconds(31))
        #expect(failures.isLocked("ann", at: start + .seconds(60.9)))
    }

    /// Unicode calls each pair the same text; to find that out can take seconds for a long one.
    @Test mutating func `a name is its bytes, whatever its length`() {
        fail("Zo\u{EB}", 5)
        #expect(failures.isLocked("Zo\u{EB}", at: start))
        #expect(!failures.isLocked("Zoe\u{308}", at: start))
        let long = String(repeating: "\u{EB}", count: 101)
        fail(long, 5)
        #expect(failures.isLocked(long, at: start))
        #expect(!failures.isLocked(String(repeating: "e\u{308}", count: 101), at: start))
    }

    @Test mutating func `a success resets the count`() {
        fail("ann", 4)
        failures.succeeded("ann")
        fail("ann", 4)
        #expect(!failures.isLocked("ann", at: start))
        #expect(failures.count == 1)
        failures.succeeded("ann")
        #expect(failures.count == 0)
    }

    @Test mutating func `the oldest names make room for others`() {
        fail("ann", 4)
        fail("bob", 4)
        fail("ann", 0)
        for number in 0..<(FailedLogins.mostNames - 1) { fail("x\(number)", 1) }
        #expect(failures.count == FailedLogins.mostNames)
        // Ann had to go, Bob had not.
        fail("bob", 1)
        fail("ann", 1)
        #expect(failures.isLocked("bob", at: start))
        #expect(!failures.isLocked("ann", at: start))
    }
}
