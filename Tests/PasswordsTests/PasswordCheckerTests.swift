import BusdProtocol
import BusdViewModels
import Synchronization
import Testing

@testable import BusdPasswords

/// The checker with a verifier that the test holds by hand.
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

    @Test func `nothing is answered before the check is done`() {
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

    @Test func `for a user who does not exist the same is done`() {
        desk.users["ann"] = "right"
        desk.check("ann", "wrong")
        desk.check("nobody", "wrong")
        desk.check("", PasswordHash.ofNobody)
        desk.checkAll()
        #expect(desk.answers == [.wrong, .wrong, .wrong])
        // Two threads, in either order.
        let ofNobody = PasswordHash.ofNobody
        #expect(desk.bench.hashes.sorted() == [ofNobody, ofNobody, "right"])
    }

    @Test func `a user who goes, or gets another password, while a check runs has failed it`() {
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

    @Test func `a check for which there is no room says nothing of the password`() {
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
    func `after five failures the name is locked for 30 s, whoever has it`(name: String) {
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

    @Test func `another name is not locked by it`() {
        desk.users = ["ann": "right", "bob": "right"]
        desk.fail("ann", 5)
        desk.check("bob", "right")
        desk.checkAll()
        #expect(desk.answers.last == .right)
    }

    @Test func `a success resets the count`() {
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
        // Both run, and the right one may be done before the name is locked, but not after it.
        #expect(
            desk.answers.suffix(2) == [.wrong, .wrong]
                || desk.answers.suffix(2) == [.right, .wrong])
    }

    @Test func `tries that came before the lock are not checked after it`() {
        desk.users["ann"] = "right"
        for number in 0..<20 { desk.check("ann", number == 19 ? "right" : "wrong") }
        desk.checkAll()
        #expect(desk.answers == Array(repeating: .wrong, count: 20))
        #expect(desk.bench.hashes.count <= 6)
    }

    // MARK: The end

    @Test func `the end waits for what is under way, and answers nothing`() {
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

    @Test func `who asks may be gone by then`() {
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
