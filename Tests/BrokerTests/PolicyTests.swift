import BusdHosting
import BusdProtocol
import Testing

@testable import BusdBroker
@testable import BusdTestKit

/// Which rule of a policy decides.
@Suite struct `A policy` {
    private func rule(
        _ line: Int, _ subject: Policy.Subject, _ right: Policy.Right, _ pattern: String,
        _ events: String...
    ) throws -> Policy.Rule {
        Policy.Rule(line: line, subject, right, try #require(Pattern(pattern)), events: events)
    }

    private func bus(_ rules: Policy.Rule...) -> TestBus {
        TestBus.lab("a", "b", policy: Policy(rules))
    }

    private func refused(_ line: Int) -> String {
        #"{"error":{"code":"notAllowed","message":"line \#(line) of the policy refuses this `send`"},"id":1}"#
    }

    private static let unmentioned = """
        {"error":{"code":"notAllowed","message":"no line of the policy allows this `send`: \
        without one, you may only look"},"id":1}
        """

    private func send(_ event: String, to address: String) -> String {
        #"{"op":"send","to":"\#(address)","event":\#(event),"id":1}"#
    }

    @Test func `The first rule that fits user and address decides`() throws {
        let bus = bus(
            try rule(2, .user(7), .look, "part/a"), try rule(3, .group(50), .send, "part/*"),
            try rule(5, .everybody, .nothing, "part/b"))
        let ann = bus.connect(user: 7, groups: [40, 50])
        ann.send(send(#"{"set":{"left":1}}"#, to: "part/a"))
        ann.expect(refused(2))
        ann.send(send(#"{"set":{"left":1}}"#, to: "part/b"))
        ann.expect(#"{"ok":{"seq":[1,1],"changed":true},"id":1}"#)
        let bob = bus.connect(user: 8, groups: [40])
        bob.send("get part/b")
        bob.expect(
            #"{"error":{"code":"unknownViewModel","message":"there is no view model part/b","#
                + #""suggestions":["part/a"]}}"#)
        bob.send(send(#"{"set":{"left":2}}"#, to: "part/a"))
        bob.expect(Self.unmentioned)
        bob.send("get part/a")
        bob.expect(#"{"ok":{"address":"part/a",…}}"#)
    }

    @Test func `A rule with events decides the sends of these events, and nothing else`() throws {
        let bus = bus(
            try rule(1, .everybody, .nothing, "part/*", "append", "end"),
            try rule(2, .everybody, .send, "part/a", "say"),
            try rule(3, .user(8), .nothing, "part/a"),
            try rule(4, .user(9), .send, "part/a"))
        let ann = bus.connect(user: 7)
        ann.send(send(#"{"say":{"text":"x"}}"#, to: "part/a"))
        ann.expect(#"{"ok":{"seq":[1,1],"changed":true},"id":1}"#)
        ann.send(send(#"{"append":{"item":"x"}}"#, to: "part/a"), send(#""end""#, to: "part/a"))
        ann.expect(refused(1), refused(1))
        ann.send(send(#"{"set":{"left":2}}"#, to: "part/a"))
        ann.expect(Self.unmentioned)
        ann.send("get part/a")
        ann.expect(#"{"ok":{"address":"part/a",…}}"#)
        // Who may not look may not send.
        let bob = bus.connect(user: 8)
        bob.send(send(#"{"say":{"text":"x"}}"#, to: "part/a"))
        bob.expect(#"{"error":{"code":"unknownViewModel",…},"id":1}"#)
        let cid = bus.connect(user: 9)
        cid.send(send(#""end""#, to: "part/a"), send(#"{"set":{"left":2}}"#, to: "part/a"))
        cid.expect(refused(1), #"{"ok":{"seq":[2,2],"changed":true},"id":1}"#)
    }

    @Test func `The address of the send counts, not what it makes or changes`() throws {
        let bus = TestBus.lab(
            policy: Policy([
                try rule(1, .everybody, .send, "bench"), try rule(2, .everybody, .look, "part/*"),
            ]))
        let ann = bus.connect(user: 7)
        ann.send(send(#"{"add":{"part":"a"}}"#, to: "bench"))
        ann.expect(#"{"ok":{"seq":[1,1],"changed":true,"made":"part/a"},"id":1}"#)
        ann.send(send(#"{"say":{"text":"x"}}"#, to: "part/a"))
        ann.expect(refused(2))
    }

    @Test func `Making a view model needs the right to send, for this event or for all`() throws {
        let bus = TestBus(
            log: MemoryLog(),
            policy: Policy([
                try rule(1, .user(7), .send, "echo/a", "say"),
                try rule(2, .user(8), .send, "echo/*"), try rule(3, .user(9), .look, "echo/*"),
            ])
        ) { $0.register(EchoForTests.self) }
        let (ann, bob, cid) = (
            bus.connect(user: 7), bus.connect(user: 8), bus.connect(user: 9)
        )
        ann.send("get echo/a")
        ann.expect(
            """
            {"error":{"code":"unknownViewModel","message":"there is no view model echo/a; \
            no line of the policy allows you to make it"}}
            """)
        cid.send("subscribe echo/a")
        cid.expect(
            """
            {"error":{"code":"unknownViewModel","message":"there is no view model echo/a; \
            line 3 of the policy does not allow you to make it"}}
            """)
        ann.send(send(#"{"say":{"text":"x"}}"#, to: "echo/a"))
        ann.expect(#"{"ok":{"seq":[1,1],"changed":true},"id":1}"#)
        ann.send("get echo/a")
        ann.expect(#"{"ok":{"address":"echo/a",…}}"#)
        bob.send("get echo/b")
        bob.expect(#"{"ok":{"address":"echo/b",…}}"#)
        cid.send("get echo/b")
        cid.expect(#"{"ok":{"address":"echo/b",…}}"#)
    }

    /// The same requests about a hidden address, and on a bus where nothing is there.
    @Test(arguments: [
        "list part/c", "list part/*", "list **", "get part/c", "get part/cc", "describe part/c",
        "subscribe part/c", "subscribe part/*", "subscribe **", "send part/c say {\"text\":\"x\"}",
        "send part/c nonsense", "unsubscribe part/c",
        #"{"op":"subscribe","to":"part/c","since":"1.0"}"#,
        #"{"op":"send","to":"part/c","event":"end","ifSeq":0,"key":"k"}"#,
    ])
    func `A hidden address answers like a missing one, and costs as much`(request: String) throws {
        func run(hasPart: Bool) throws -> (lines: [String], cost: Int) {
            let policy = Policy([
                try rule(1, .user(7), .nothing, "part/c"), try rule(2, .user(7), .nothing, "bench"),
            ])
            var parts = ["a", "b", "d"]
            if hasPart { parts.append("c") }
            let bus = TestBus.lab(policy: policy)
            let builder = bus.connect()
            for part in parts { builder.send(#"send bench add {"part":"\#(part)"}"#) }
            let ann = bus.connect(user: 7)
            let before = bus.bus.spent
            ann.send(request)
            _ = builder.takeLines()
            return (ann.takeLines(), bus.bus.spent - before)
        }
        let (hidden, missing) = (try run(hasPart: true), try run(hasPart: false))
        #expect(hidden.lines == missing.lines)
        // A walk compares what is hidden, too.
        guard !request.contains("*") else { return }
        #expect(hidden.cost == missing.cost)
    }

    @Test func `A limit counts no hidden view model`() throws {
        func answer(hidden: Int) throws -> [String] {
            var limits = Limits()
            limits.subscriptionTotal = 10_000
            let bus = TestBus.lab(
                limits: limits, policy: Policy([try rule(1, .user(7), .nothing, "part/*")]))
            let builder = bus.connect()
            for number in 0..<hidden { builder.send(#"send bench add {"part":"x\#(number)"}"#) }
            _ = builder.takeLines()
            let ann = bus.connect(user: 7)
            ann.send("subscribe part/*")
            return ann.takeLines()
        }
        let none = [#"{"ok":{"to":"part/*","matched":[],"resumed":false}}"#, #"{"live":"part/*"}"#]
        #expect(try answer(hidden: 0) == none)
        #expect(try answer(hidden: 200) == none)
    }
}
