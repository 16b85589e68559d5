import BusdBroker
import BusdHosting
import BusdProtocol
import Testing

@testable import BusdTestKit

/// Sends that wait for a stalled disk do not fill the memory, and do not occupy the loop later.
@Suite struct `Pending sends` {
    let tallies = TallyFixture()

    private func add(_ id: Int) -> String {
        #"{"op":"send","to":"tally","event":{"add":{"_0":1}},"id":\#(id)}"#
    }

    private func pending(_ client: TestConnection) -> Int {
        client.slot.flatMap { tallies.bus.bus.state(of: $0) }?.pendingCount ?? 0
    }

    @Test func `Pending sends are bounded per connection, and delay no other connection`() {
        let (greedy, other) = (tallies.connect(), tallies.connect())
        for id in 0..<500 { greedy.send(add(id)) }
        #expect(pending(greedy) == Bus.mostPendingOfConnection)
        other.send(add(1_000))
        #expect(pending(other) == 1)
        let third = tallies.connect()
        third.send("ping")
        third.expect(#"{"ok":{}}"#)

        var answers: [String] = []
        while tallies.log.hasCommits {
            #expect(pending(greedy) <= Bus.mostPendingOfConnection)
            tallies.succeed()
            answers += greedy.takeLines()
        }
        #expect(answers.count == 500)
        for (id, answer) in answers.enumerated() { #expect(answer.hasSuffix(#""id":\#(id)}"#)) }
        #expect(other.takeLines().count == 1)
        #expect(tallies.count() == 501)
    }

    @Test func `Pending sends are bounded for all connections together`() {
        let crowd = (0..<90).map { _ in tallies.connect() }
        for client in crowd { for id in 0..<64 { client.send(add(id)) } }
        let first = crowd.reduce(0) { $0 + pending($1) }
        // Each takes 256 bytes and the bytes of its action.
        #expect(first * 256 <= 1 << 20)
        #expect(first > 1_000)
        let late = tallies.connect()
        late.send(add(0))
        #expect(pending(late) == 0)
        let other = tallies.connect()
        other.send("ping")
        other.expect(#"{"ok":{}}"#)

        var answers = 0
        while tallies.log.hasCommits {
            tallies.succeed()
            answers += crowd.reduce(0) { $0 + $1.takeLines().count }
        }
        #expect(answers == 90 * 64)
        #expect(late.takeLines().count == 1)
        #expect(tallies.count() == 90 * 64 + 1)
    }

    @Test func `Pending sends are refused together, and the sends waiting behind them are not`() {
        let greedy = tallies.connect()
        for id in 0..<300 { greedy.send(add(id)) }
        tallies.fail()
        let refused = greedy.takeLines()
        #expect(refused.count == Bus.mostPendingOfConnection)
        #expect(refused.allSatisfy { $0.contains("unavailable") })
        while tallies.log.hasCommits { tallies.succeed() }
        #expect(greedy.takeLines().count == 300 - Bus.mostPendingOfConnection)
        #expect(tallies.count() == 300 - Bus.mostPendingOfConnection)
    }

    @Test func `Committed sends are applied in portions that fit the cost of a turn`() {
        let client = tallies.connect()
        client.send(bytes: Array((0..<64).map { add($0) + "\n" }.joined().utf8))
        tallies.bus.bus.limitTurns(to: 8 * Cost.request)
        tallies.log.succeed()
        tallies.bus.bus.applyCommitted()
        let applied = tallies.count() ?? 0
        #expect((1..<64).contains(applied))
        let hasMore = tallies.bus.bus.hasWork
        #expect(hasMore)
        tallies.bus.settle()
        #expect(tallies.count() == 64)
        #expect(client.takeLines().count == 64)
    }

    @Test func `Pending sends to a thing are settled before an ifDone is checked`() throws {
        let (first, second) = (tallies.connect(), tallies.connect())
        first.send(#"{"op":"send","to":"tally","event":{"open":{"_0":"b"}},"id":1}"#)
        tallies.succeed()
        first.expect(#"{"ok":{"changed":true,"made":"tally/b"},"id":1}"#)
        first.send("get tally/b")
        let answer = try #require(first.takeLines().first)
        let done = try #require(answer.firstMatch(of: #/"done":"([^"]+)"/#)).output.1

        second.send(add(2))
        first.send(
            #"{"op":"send","to":"tally/b","event":{"add":{"_0":1}},"ifDone":"\#(done)","id":3}"#)
        tallies.succeed()
        #expect(second.takeLines().count == 1)
        let refusal = try #require(first.takeLines().first)
        #expect(refusal.hasPrefix(#"{"error":{"code":"stale""#))
        #expect(!tallies.log.hasCommits)
    }

    @Test func `Pending sends are answered before the daemon ends`() {
        let keeper = tallies.connect()
        keeper.send(add(1))
        tallies.bus.bus.stopTaking()
        let hasPending = tallies.bus.bus.hasPending
        #expect(hasPending)
        tallies.succeed()
        let isSettled = !tallies.bus.bus.hasPending
        #expect(isSettled)
        keeper.expect(#"{"ok":{"seq":[1,1],"changed":true},"id":1}"#)
    }
}
