import BusdProtocol
import BusdViewModels
import Testing

@testable import BusdPasswords

/// Which check runs next, and which never runs. The bench lets one check go at a time.
struct WaitingChecksTests {
    private let desk: Desk

    init() throws {
        desk = try Desk()
        desk.bench.hold()
    }

    /// Begins two checks, so that all others wait.
    private func occupy() {
        desk.check("x", "first", uid: 90)
        desk.check("x", "second", uid: 90)
        desk.checker.deliver()
        desk.bench.awaitStarted(2)
    }

    /// Lets the running checks go one by one, until `count` others have begun. Returns the
    /// passwords of the others, in the order in which they began.
    private func order(of count: Int) -> [String] {
        for number in 1...count {
            desk.bench.letGo(1)
            desk.awaitAnswers(number)
            desk.bench.awaitStarted(number + 2)
        }
        return Array(desk.bench.awaitStarted(count + 2).dropFirst(2))
    }

    /// Lets all checks go.
    private func end() {
        desk.bench.letGo(100)
        desk.checkAll()
    }

    @Test func `two checks run at a time`() {
        occupy()
        for number in 1...3 { desk.check("x", "\(number)") }
        desk.checker.deliver()
        #expect(desk.bench.awaitStarted(2).count == 2)
        #expect(order(of: 3) == ["1", "2", "3"])
        end()
        #expect(desk.bench.mostAtOnce == 2)
    }

    @Test func `uids are served in turn, however many checks they have`() {
        occupy()
        for number in 1...4 { desk.check("x", "a\(number)", uid: 1) }
        for number in 1...2 { desk.check("x", "b\(number)", uid: 2) }
        desk.check("x", "c1", uid: 3)
        #expect(order(of: 7) == ["a1", "b1", "c1", "a2", "b2", "a3", "a4"])
        end()
    }

    @Test func `connections of a uid are served in turn, and busy ones are skipped`() {
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

    @Test func `a connection has one check running at a time`() {
        for number in 1...3 { desk.check("x", "a\(number)", connection: 1) }
        desk.checker.deliver()
        #expect(desk.bench.awaitStarted(1) == ["a1"])
        desk.check("x", "b1", connection: 2)
        desk.checker.deliver()
        #expect(desk.bench.awaitStarted(2) == ["a1", "b1"])
        desk.bench.letGo(2)
        desk.awaitAnswers(2)
        #expect(desk.bench.awaitStarted(3) == ["a1", "b1", "a2"])
        desk.bench.letGo(2)
        desk.awaitAnswers(4)
        #expect(desk.bench.mostAtOnce == 2)
    }

    @Test func `another uid waits for only one check of a uid with 1,000 connections`() {
        occupy()
        for number in 0..<1_000 { desk.check("x", "\(number)", uid: 1, connection: number) }
        desk.users["bob"] = "right"
        desk.check("bob", "right", uid: 2, connection: 1_000)
        #expect(order(of: 2) == ["0", "right"])
        for number in 1..<1_000 { desk.drop("\(number)") }
        end()
        #expect(desk.answered.sorted() == ["0", "first", "right", "second"])
    }

    @Test func `a uid that asks again is served after the waiting uids`() {
        occupy()
        desk.check("x", "a1", uid: 1)
        desk.check("x", "b1", uid: 2)
        desk.check("x", "b2", uid: 2)
        #expect(order(of: 1) == ["a1"])
        desk.check("x", "a2", uid: 1)
        desk.bench.letGo(1)
        desk.awaitAnswers(2)
        #expect(desk.bench.awaitStarted(4).last == "b1")
        desk.bench.letGo(1)
        desk.awaitAnswers(3)
        #expect(desk.bench.awaitStarted(5).last == "a2")
        end()
    }

    @Test func `a check that is dropped while it waits never runs`() {
        occupy()
        for name in ["a", "b", "c"] { desk.check("x", name, connection: name == "c" ? 2 : 1) }
        desk.drop("a")
        desk.drop("c")
        #expect(order(of: 1) == ["b"])
        end()
        #expect(desk.bench.awaitStarted(3).count == 3)
    }

    @Test func `a check that is dropped while it runs counts, but is not answered`() {
        desk.users["ann"] = "right"
        for number in 1...5 {
            desk.check("ann", "\(number)")
            desk.checker.deliver()
            desk.bench.awaitStarted(number)
            desk.drop("\(number)")
            desk.bench.letGo(1)
            // One wakeup for the request, and one for the end of the check.
            for _ in 0..<2 { #expect(desk.bench.awaitWake()) }
            desk.checker.deliver()
        }
        #expect(desk.answers == [])
        desk.check("ann", "right")
        desk.checkAll()
        #expect(desk.answers == [.wrong])
    }

    @Test func `checks of a locked name are answered in several turns`() {
        desk.bench.letGo(1_000)
        desk.users["ann"] = "right"
        desk.fail("ann", 5)
        for number in 0..<40 { desk.check("ann", "\(number)") }
        desk.checker.deliver()
        #expect(desk.answers.count == 5 + 2)
        desk.checker.deliver()
        #expect(desk.answers.count == 5 + 4)
        desk.checkAll()
        #expect(desk.answers == Array(repeating: .wrong, count: 45))
    }
}
