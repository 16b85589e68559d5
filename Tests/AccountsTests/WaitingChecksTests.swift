import BusdHosting
import BusdProtocol
import Testing

@testable import BusdAccounts

/// Which check runs next, and which never runs. The verifier lets one check go at a time.
struct WaitingChecksTests {
    private let fixture: CheckerFixture

    init() throws {
        fixture = try CheckerFixture()
        fixture.verifier.hold()
    }

    /// Begins two checks, so that all others wait.
    private func occupy() {
        fixture.check("x", "first", uid: 90)
        fixture.check("x", "second", uid: 90)
        fixture.checker.deliver()
        fixture.verifier.awaitStarted(2)
    }

    /// Lets the running checks go one by one, until `count` others have begun. Returns the
    /// passwords of the others, in the order in which they began.
    private func order(of count: Int) -> [String] {
        for number in 1...count {
            fixture.verifier.release(1)
            fixture.awaitAnswers(number)
            fixture.verifier.awaitStarted(number + 2)
        }
        return Array(fixture.verifier.awaitStarted(count + 2).dropFirst(2))
    }

    /// Lets all checks go.
    private func end() {
        fixture.verifier.release(100)
        fixture.checkAll()
    }

    @Test func `Two checks run at a time`() {
        occupy()
        for number in 1...3 { fixture.check("x", "\(number)") }
        fixture.checker.deliver()
        #expect(fixture.verifier.awaitStarted(2).count == 2)
        #expect(order(of: 3) == ["1", "2", "3"])
        end()
        #expect(fixture.verifier.mostAtOnce == 2)
    }

    @Test func `Uids are served in turn, however many checks they have`() {
        occupy()
        for number in 1...4 { fixture.check("x", "a\(number)", uid: 1) }
        for number in 1...2 { fixture.check("x", "b\(number)", uid: 2) }
        fixture.check("x", "c1", uid: 3)
        #expect(order(of: 7) == ["a1", "b1", "c1", "a2", "b2", "a3", "a4"])
        end()
    }

    @Test func `Connections of a uid are served in turn, and busy ones are skipped`() {
        var checks = WaitingChecks()
        func append(_ name: String, of connection: Int) {
            checks.append(
                WaitingChecks.Check(
                    number: 0, username: name, password: Secret("x"),
                    sender: Sender(connection: connection, uid: 1)))
        }
        for name in ["a1", "a2", "a3"] { append(name, of: 1) }
        for name in ["b1", "b2"] { append(name, of: 2) }
        let inTurn = (0..<3).map { _ in checks.next(besides: [])?.username }
        #expect(inTurn == ["a1", "b1", "a2"])
        #expect(checks.next(besides: [2])?.username == "a3")
        #expect(checks.next(besides: [2])?.username == nil)
        #expect(checks.next(besides: [1])?.username == "b2")
        #expect(checks.next(besides: [])?.username == nil)
    }

    @Test func `A connection has one check running at a time`() {
        for number in 1...3 { fixture.check("x", "a\(number)", connection: 1) }
        fixture.checker.deliver()
        #expect(fixture.verifier.awaitStarted(1) == ["a1"])
        fixture.check("x", "b1", connection: 2)
        fixture.checker.deliver()
        #expect(fixture.verifier.awaitStarted(2) == ["a1", "b1"])
        fixture.verifier.release(2)
        fixture.awaitAnswers(2)
        #expect(fixture.verifier.awaitStarted(3) == ["a1", "b1", "a2"])
        fixture.verifier.release(2)
        fixture.awaitAnswers(4)
        #expect(fixture.verifier.mostAtOnce == 2)
    }

    @Test func `Another uid waits for only one check of a uid with 1,000 connections`() {
        occupy()
        for number in 0..<1_000 { fixture.check("x", "\(number)", uid: 1, connection: number) }
        fixture.users["bob"] = "right"
        fixture.check("bob", "right", uid: 2, connection: 1_000)
        #expect(order(of: 2) == ["0", "right"])
        for number in 1..<1_000 { fixture.drop("\(number)") }
        end()
        #expect(fixture.answered.sorted() == ["0", "first", "right", "second"])
    }

    @Test func `A uid that asks again is served after the waiting uids`() {
        occupy()
        fixture.check("x", "a1", uid: 1)
        fixture.check("x", "b1", uid: 2)
        fixture.check("x", "b2", uid: 2)
        #expect(order(of: 1) == ["a1"])
        fixture.check("x", "a2", uid: 1)
        fixture.verifier.release(1)
        fixture.awaitAnswers(2)
        #expect(fixture.verifier.awaitStarted(4).last == "b1")
        fixture.verifier.release(1)
        fixture.awaitAnswers(3)
        #expect(fixture.verifier.awaitStarted(5).last == "a2")
        end()
    }

    @Test func `A check that is dropped while it waits never runs`() {
        occupy()
        for name in ["a", "b", "c"] { fixture.check("x", name, connection: name == "c" ? 2 : 1) }
        fixture.drop("a")
        fixture.drop("c")
        #expect(order(of: 1) == ["b"])
        end()
        #expect(fixture.verifier.awaitStarted(3).count == 3)
    }

    @Test func `A check that is dropped while it runs counts, but is not answered`() {
        fixture.users["ann"] = "right"
        for number in 1...5 {
            fixture.check("ann", "\(number)")
            fixture.checker.deliver()
            fixture.verifier.awaitStarted(number)
            fixture.drop("\(number)")
            fixture.verifier.release(1)
            // One wakeup for the request, and one for the end of the check.
            for _ in 0..<2 { #expect(fixture.verifier.awaitWake()) }
            fixture.checker.deliver()
        }
        #expect(fixture.answers == [])
        fixture.check("ann", "right")
        fixture.checkAll()
        #expect(fixture.answers == [.wrong])
    }

    @Test func `Checks of a locked name are answered in several turns`() {
        fixture.verifier.release(1_000)
        fixture.users["ann"] = "right"
        fixture.fail("ann", 5)
        for number in 0..<40 { fixture.check("ann", "\(number)") }
        fixture.checker.deliver()
        #expect(fixture.answers.count == 5 + 2)
        fixture.checker.deliver()
        #expect(fixture.answers.count == 5 + 4)
        fixture.checkAll()
        #expect(fixture.answers == Array(repeating: .wrong, count: 45))
    }
}
