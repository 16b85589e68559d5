import BusdProtocol
import BusdViewModels
import Synchronization
import Testing

@testable import BusdPasswords

/// The checker, with a verifier that the test controls.
struct PasswordCheckerTests {
    private let desk: Desk

    init() throws { desk = try Desk() }

    // MARK: Answers

    @Test func `a user's password is right, and another is not`() {
        desk.users["ann"] = "right"
        for password in ["right", "wrong"] {
            desk.check("ann", password)
            desk.checkAll()
        }
        #expect(desk.answers == [.right, .wrong])
    }

    @Test func `a check is not answered before it is done`() {
        desk.users["ann"] = "right"
        desk.bench.hold()
        desk.check("ann", "right")
        #expect(desk.answers == [])
        desk.checker.deliver()
        desk.bench.awaitStarted(1)
        desk.checker.deliver()
        #expect(desk.answers == [])
        desk.bench.letGo(1)
        desk.awaitAnswers(1)
        #expect(desk.answers == [.right])
    }

    @Test func `a check for an unknown user compares a hash too, and fails`() {
        desk.users["ann"] = "right"
        desk.check("ann", "wrong")
        desk.check("nobody", "wrong")
        desk.check("", PasswordHash.ofNobody)
        desk.checkAll()
        #expect(desk.answers == [.wrong, .wrong, .wrong])
        // Two threads make the checks, in either order.
        let ofNobody = PasswordHash.ofNobody
        #expect(desk.bench.hashes.sorted() == [ofNobody, ofNobody, "right"])
    }

    @Test func `a check fails if its user is removed or changed while it runs`() {
        desk.users = ["ann": "right", "bob": "right"]
        desk.check("ann", "right")
        desk.check("bob", "right")
        desk.bench.hold()
        desk.checker.deliver()
        desk.bench.awaitStarted(2)
        desk.users = ["bob": "another"]
        desk.bench.letGo(2)
        desk.checkAll()
        #expect(desk.answers == [.wrong, .wrong])
    }

    @Test func `a check without enough memory has an unknown verdict`() {
        desk.users["ann"] = "right"
        desk.bench.setFull(true)
        for _ in 0..<6 { desk.check("ann", "right") }
        desk.checkAll()
        #expect(desk.answers == Array(repeating: .unknown, count: 6))
        desk.bench.setFull(false)
        desk.check("ann", "right")
        desk.checkAll()
        #expect(desk.answers.last == .right)
    }

    // MARK: Locks

    @Test(arguments: ["ann", "nobody"])
    func `five failures lock a name for 30 s, whether it exists or not`(name: String) {
        desk.users["ann"] = "right"
        desk.fail(name, 5)
        let checks = desk.bench.hashes.count
        desk.check(name, "right")
        desk.checkAll()
        #expect(desk.answers.last == .wrong)
        #expect(desk.bench.hashes.count == checks)

        desk.time.move(to: Instant(microseconds: 29_999_999))
        desk.check(name, "right")
        desk.checkAll()
        #expect(desk.answers.last == .wrong)

        desk.time.move(to: Instant(microseconds: 30_000_000))
        desk.check(name, "right")
        desk.checkAll()
        #expect(desk.answers.last == (name == "ann" ? .right : .wrong))
        #expect(desk.bench.hashes.count == checks + 1)
    }

    @Test func `failures of one uid do not lock the name for another`() {
        desk.users["ann"] = "right"
        desk.fail("ann", 5, uid: 2)
        desk.check("ann", "right", uid: 1)
        desk.checkAll()
        #expect(desk.answers.last == .right)
        desk.check("ann", "right", uid: 2)
        desk.checkAll()
        #expect(desk.answers.last == .wrong)
    }

    @Test func `a lock of one name does not lock another`() {
        desk.users = ["ann": "right", "bob": "right"]
        desk.fail("ann", 5)
        desk.check("bob", "right")
        desk.checkAll()
        #expect(desk.answers.last == .right)
    }

    @Test func `a success resets the count of failures`() {
        desk.users["ann"] = "right"
        for _ in 0..<3 {
            desk.fail("ann", 4)
            desk.check("ann", "right")
            desk.checkAll()
            #expect(desk.answers.last == .right)
        }
    }

    @Test func `a check that runs when the name gets locked fails`() {
        desk.users["ann"] = "right"
        desk.fail("ann", 4)
        desk.check("ann", "wrong")
        desk.check("ann", "right")
        desk.checkAll()
        // Both checks run. The right password may be checked before the name is locked, not after.
        #expect(
            desk.answers.suffix(2) == [.wrong, .wrong]
                || desk.answers.suffix(2) == [.right, .wrong])
    }

    @Test func `checks that wait when their name is locked fail without a hash`() {
        desk.users["ann"] = "right"
        for number in 0..<20 { desk.check("ann", number == 19 ? "right" : "wrong") }
        desk.checkAll()
        #expect(desk.answers == Array(repeating: .wrong, count: 20))
        #expect(desk.bench.hashes.count <= 6)
    }

    // MARK: The end

    @Test func `a close waits for the running checks, and answers none`() {
        desk.bench.hold()
        for _ in 0..<4 { desk.check("x", "y") }
        desk.checker.deliver()
        desk.bench.awaitStarted(2)
        desk.bench.letGo(2)
        desk.checker.close()
        desk.checker.deliver()
        #expect(desk.answers == [])
        #expect(desk.bench.awaitStarted(2).count == 2)
    }

    @Test func `the caller of a check may be released before the answer`() {
        desk.users["ann"] = "right"
        weak var asker: Asker?
        var check: PasswordCheck?
        do {
            let someone = Asker()
            asker = someone
            check = desk.checker.check(Secret("right"), of: "ann", for: nil) { [weak someone] in
                someone?.answer = $0
            }
        }
        desk.check("ann", "right")
        desk.checkAll()
        #expect(asker == nil)
        #expect(desk.answers == [.right])
        withExtendedLifetime(check) {}
    }

    private final class Asker {
        var answer: PasswordVerdict?
    }
}
