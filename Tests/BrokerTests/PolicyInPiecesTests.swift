import BusdBroker
import BusdHosting
import BusdProtocol
import Testing

@testable import BusdTestKit

/// A policy that hides or shows many view models. A turn has room for some of them.
@Suite struct `A policy in pieces` {
    private let bus = TestBus.lab()
    private let root: TestConnection
    private let ann: TestConnection
    private static let numbers = 1_000..<1_800

    init() {
        root = bus.connect()
        for number in Self.numbers { root.send(#"send bench add {"part":"\#(number)"}"#) }
        ann = bus.connect(throughViewSocket: true, user: 7)
        _ = root.takeLines()
    }

    private func policy(hiding pattern: String) throws -> Policy {
        Policy([
            Policy.Rule(line: 1, .user(7), .nothing, try #require(Pattern(pattern))),
            Policy.Rule(line: 2, .everybody, .send, .everything),
        ])
    }

    /// The number of turns, and the cost of the longest one.
    private typealias Turns = (count: Int, longest: Int)

    /// Turns the bus while the condition holds. Another client is answered in each turn.
    private func turn(while condition: () -> Bool) -> Turns {
        var turns = Turns(0, 0)
        while condition(), turns.count < 10_000 {
            bus.queue(#"{"op":"ping","id":\#(turns.count)}"#, from: root)
            let spent = bus.bus.costs
            bus.turn()
            turns.longest = max(turns.longest, bus.bus.costs - spent)
            root.expect(#"{"ok":{},"id":\#(turns.count)}"#)
            turns.count += 1
        }
        return turns
    }

    /// A reload with turns of this cost.
    private func reload(_ policy: Policy, turns cost: Int) -> Turns {
        bus.bus.limitTurns(to: cost)
        bus.host.enforce(policy)
        bus.bus.listen()
        return turn { bus.bus.isEnforcing }
    }

    private var gone: [String] { Self.numbers.map { #"{"gone":"part/\#($0)"}"# } }

    @Test func `Other clients are answered while many view models are taken from one`() throws {
        ann.join("**")
        let turns = reload(try policy(hiding: "part/*"), turns: 20_000)
        #expect(turns.count > 10)
        bus.settle()
        #expect(ann.takeLines() == gone)
    }

    @Test func `A client that reads nothing is sent all that it lost, when it reads again`() throws
    {
        ann.join("part/*")
        ann.stall()
        #expect(reload(try policy(hiding: "part/*"), turns: 20_000).count > 10)
        ann.readOn()
        bus.settle()
        #expect(ann.takeLines() == gone)
    }

    @Test func `A policy hides nothing from a client whose join is not complete, and tells all`()
        throws
    {
        bus.bus.limitTurns(to: 20_000)
        bus.queue("subscribe part/*", from: ann)
        for _ in 0..<3 { bus.turn() }
        _ = reload(try policy(hiding: "part/*"), turns: 20_000)
        bus.settle()
        let lines = ann.takeLines()
        let named = lines.first?.ranges(of: "part/1").count ?? 0
        #expect(lines.filter { $0.hasPrefix(#"{"gone""#) }.count == named)
    }

    @Test func `Requests wait until all is taken, and are answered by the new policy`() throws {
        ann.join("**")
        bus.bus.limitTurns(to: 20_000)
        bus.host.enforce(try policy(hiding: "part/*"))
        bus.bus.listen()
        var lines: [String] = []
        var hasAsked = false
        while bus.bus.isEnforcing {
            bus.turn()
            lines += ann.takeLines()
            guard !hasAsked, !lines.isEmpty else { continue }
            hasAsked = true
            bus.queue("get part/1799", from: ann)
        }
        bus.settle()
        lines += ann.takeLines()
        #expect(lines.dropLast() == gone[...])
        #expect(lines.last?.contains("there is no view model part/1799") == true)
    }

    @Test func `A view model that arrives meanwhile is hidden, too`() throws {
        ann.join("**")
        bus.bus.limitTurns(to: 20_000)
        bus.host.enforce(try policy(hiding: "part/*"))
        bus.bus.listen()
        bus.turn()
        bus.queue(#"send bench add {"part":"0"}"#, from: root)
        bus.settle()
        let lines = ann.takeLines().filter { $0.contains("part/0\"") }
        #expect(lines.isEmpty || lines.last == #"{"gone":"part/0"}"#)
        root.send(#"send part/0 say {"text":"x"}"#)
        ann.expectNothing()
    }

    @Test func `An unsubscribe in progress waits until all is taken, and is answered last`() throws
    {
        ann.join("**")
        bus.bus.limitTurns(to: 20_000)
        bus.queue(#"{"op":"unsubscribe","to":"**","id":1}"#, from: ann)
        bus.turn()
        bus.host.enforce(try policy(hiding: "part/*"))
        bus.bus.listen()
        bus.settle()
        let lines = ann.takeLines()
        #expect(lines.count > 100)
        #expect(lines.dropLast().allSatisfy { $0.hasPrefix(#"{"gone":"part/"#) })
        #expect(lines.last == #"{"ok":{},"id":1}"#)
    }

    @Test func `A client that is in many groups costs other clients no long turn`() throws {
        let groups = Array(0..<500)
        let members = (0..<100).map { _ in bus.connect(user: 7, groups: groups) }
        let turns = reload(try policy(hiding: "part/*"), turns: 1_000)
        #expect(turns.count > 100 && turns.longest < 50_000)
        for member in members { member.expectNothing() }
    }

    @Test func `Patterns of many shapes make no turn longer`() throws {
        let rules = try (0..<16).map { shape in
            let segments = (0..<4).map { shape >> $0 & 1 == 0 ? "*" : "a" }
            let pattern = try #require(Pattern(segments.joined(separator: "/")))
            return Policy.Rule(line: 1, .user(7), .nothing, pattern)
        }
        let turns = reload(Policy(rules), turns: 1_000)
        #expect(turns.longest < 50_000)
    }

    @Test func `Many subscriptions make no turn longer when view models are shown again`() throws {
        bus.enforce(try policy(hiding: "part/*"))
        for number in 0..<200 { ann.send("subscribe */*/\(number)") }
        _ = ann.takeLines()
        _ = reload(try policy(hiding: "other/*"), turns: 20_000)
        let turns = turn { bus.isUnsettled }
        // A step has 16 view models, each compared with 200 patterns.
        #expect(turns.count > 40 && turns.longest < 130_000)
        ann.expectNothing()
    }

    @Test func `A client without subscriptions is not behind when it may look at more`() throws {
        bus.enforce(try policy(hiding: "part/*"))
        bus.bus.limitTurns(to: 1_000)
        bus.host.enforce(try policy(hiding: "other/*"))
        bus.bus.listen()
        while bus.bus.isEnforcing { bus.turn() }
        #expect(ann.slot.map { bus.bus.state(of: $0)?.isBehind } == false)
        bus.settle()
    }

    @Test func `A subscribe counts the view models that a policy shows in several turns`() throws {
        bus.enforce(try policy(hiding: "part/1000"))
        for number in 1_800..<3_600 { root.send(#"send bench add {"part":"\#(number)"}"#) }
        ann.send("ping")
        _ = (ann.takeLines(), root.takeLines())
        bus.bus.limitTurns(to: 1_000)
        bus.queue("subscribe */*/none", "ping", from: ann)
        var most = 0
        repeat {
            let spent = bus.bus.costs
            bus.turn()
            most = max(most, bus.bus.costs - spent)
        } while bus.isUnsettled
        // Two steps of a walk.
        #expect(most < 75_000)
        ann.expect(
            #"{"ok":{"to":"*/*/none","matched":[],"resumed":false}}"#, #"{"live":"*/*/none"}"#,
            #"{"ok":{}}"#)
    }

    @Test func `A policy of thousands of lines decides as one of few`() throws {
        let many = try (0..<5_000).map {
            Policy.Rule(line: $0, .everybody, .nothing, try #require(Pattern("part/\($0 + 1_400)")))
        }
        bus.enforce(Policy(many))
        ann.send("list part/*")
        let line = ann.takeLines().first ?? ""
        #expect(line.contains("part/1399") && !line.contains("part/1400"))
        #expect(line.ranges(of: #""address""#).count == 400)
    }
}
