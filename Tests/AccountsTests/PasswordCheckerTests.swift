import BusdHosting
import BusdProtocol
import Synchronization
import Testing

@testable import BusdAccounts

/// The checker, with a verifier that the test controls.
struct PasswordCheckerTests {
    private let fixture: CheckerFixture

    init() throws { fixture = try CheckerFixture() }

    // MARK: Answers

    @Test func `A user's password is right, and another is not`() {
        fixture.users["ann"] = "right"
        for password in ["right", "wrong"] {
            fixture.check("ann", password)
            fixture.checkAll()
        }
        #expect(fixture.answers == [.right, .wrong])
    }

    @Test func `A check is not answered before it is done`() {
        fixture.users["ann"] = "right"
        fixture.verifier.hold()
        fixture.check("ann", "right")
        #expect(fixture.answers == [])
        fixture.checker.deliver()
        fixture.verifier.awaitStarted(1)
        fixture.checker.deliver()
        #expect(fixture.answers == [])
        fixture.verifier.release(1)
        fixture.awaitAnswers(1)
        #expect(fixture.answers == [.right])
    }

    @Test func `A check for an unknown user compares a hash too, and fails`() {
        fixture.users["ann"] = "right"
        fixture.check("ann", "wrong")
        fixture.check("nobody", "wrong")
        fixture.check("", PasswordHash.dummy)
        fixture.checkAll()
        #expect(fixture.answers == [.wrong, .wrong, .wrong])
        // Two threads make the checks, in either order.
        let ofNobody = PasswordHash.dummy
        #expect(fixture.verifier.hashes.sorted() == [ofNobody, ofNobody, "right"])
    }

    @Test func `A check fails if its user is removed or changed while it runs`() {
        fixture.users = ["ann": "right", "bob": "right"]
        fixture.check("ann", "right")
        fixture.check("bob", "right")
        fixture.verifier.hold()
        fixture.checker.deliver()
        fixture.verifier.awaitStarted(2)
        fixture.users = ["bob": "another"]
        fixture.verifier.release(2)
        fixture.checkAll()
        #expect(fixture.answers == [.wrong, .wrong])
    }

    @Test func `A check without enough memory has an unknown verdict`() {
        fixture.users["ann"] = "right"
        fixture.verifier.setFull(true)
        for _ in 0..<6 { fixture.check("ann", "right") }
        fixture.checkAll()
        #expect(fixture.answers == Array(repeating: .unknown, count: 6))
        fixture.verifier.setFull(false)
        fixture.check("ann", "right")
        fixture.checkAll()
        #expect(fixture.answers.last == .right)
    }

    // MARK: Locks

    @Test(arguments: ["ann", "nobody"])
    func `Five failures lock a name for 30 s, whether it exists or not`(name: String) {
        fixture.users["ann"] = "right"
        fixture.fail(name, 5)
        let checks = fixture.verifier.hashes.count
        fixture.check(name, "right")
        fixture.checkAll()
        #expect(fixture.answers.last == .wrong)
        #expect(fixture.verifier.hashes.count == checks)

        fixture.time.move(to: Instant(microseconds: 29_999_999))
        fixture.check(name, "right")
        fixture.checkAll()
        #expect(fixture.answers.last == .wrong)

        fixture.time.move(to: Instant(microseconds: 30_000_000))
        fixture.check(name, "right")
        fixture.checkAll()
        #expect(fixture.answers.last == (name == "ann" ? .right : .wrong))
        #expect(fixture.verifier.hashes.count == checks + 1)
    }

    @Test func `Failures of one uid do not lock the name for another`() {
        fixture.users["ann"] = "right"
        fixture.fail("ann", 5, uid: 2)
        fixture.check("ann", "right", uid: 1)
        fixture.checkAll()
        #expect(fixture.answers.last == .right)
        fixture.check("ann", "right", uid: 2)
        fixture.checkAll()
        #expect(fixture.answers.last == .wrong)
    }

    @Test func `A lock of one name does not lock another`() {
        fixture.users = ["ann": "right", "bob": "right"]
        fixture.fail("ann", 5)
        fixture.check("bob", "right")
        fixture.checkAll()
        #expect(fixture.answers.last == .right)
    }

    @Test func `A success resets the count of failures`() {
        fixture.users["ann"] = "right"
        for _ in 0..<3 {
            fixture.fail("ann", 4)
            fixture.check("ann", "right")
            fixture.checkAll()
            #expect(fixture.answers.last == .right)
        }
    }

    @Test func `A check that runs when the name gets locked fails`() {
        fixture.users["ann"] = "right"
        fixture.fail("ann", 4)
        fixture.check("ann", "wrong")
        fixture.check("ann", "right")
        fixture.checkAll()
        // Both checks run. The right password may be checked before the name is locked, not after.
        #expect(
            fixture.answers.suffix(2) == [.wrong, .wrong]
                || fixture.answers.suffix(2) == [.right, .wrong])
    }

    @Test func `Checks that wait when their name is locked fail without a hash`() {
        fixture.users["ann"] = "right"
        for number in 0..<20 { fixture.check("ann", number == 19 ? "right" : "wrong") }
        fixture.checkAll()
        #expect(fixture.answers == Array(repeating: .wrong, count: 20))
        #expect(fixture.verifier.hashes.count <= 6)
    }

    // MARK: The end

    @Test func `A close waits for the running checks, and answers none`() {
        fixture.verifier.hold()
        for _ in 0..<4 { fixture.check("x", "y") }
        fixture.checker.deliver()
        fixture.verifier.awaitStarted(2)
        fixture.verifier.release(2)
        fixture.checker.close()
        fixture.checker.deliver()
        #expect(fixture.answers == [])
        #expect(fixture.verifier.awaitStarted(2).count == 2)
    }

    @Test func `The caller of a check may be released before the answer`() {
        fixture.users["ann"] = "right"
        weak var caller: Caller?
        var check: PasswordCheck?
        do {
            let strong = Caller()
            caller = strong
            check = fixture.checker.check(Secret("right"), of: "ann", for: nil) { [weak strong] in
                strong?.answer = $0
            }
        }
        fixture.check("ann", "right")
        fixture.checkAll()
        #expect(caller == nil)
        #expect(fixture.answers == [.right])
        withExtendedLifetime(check) {}
    }

    private final class Caller {
        var answer: PasswordVerdict?
    }
}
