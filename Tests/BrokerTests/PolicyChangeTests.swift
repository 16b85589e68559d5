import BusdBroker
import BusdHosting
import BusdProtocol
import Testing

@testable import BusdTestKit

/// What clients are sent when another policy comes into force.
@Suite struct `Another policy` {
    private let bus = TestBus.lab("a", "b", "c")
    private let builder: TestConnection

    init() { builder = bus.connect() }

    /// User 7 may not look at these; everything else is allowed.
    private func hide(_ patterns: String...) throws {
        let rules = try patterns.map {
            Policy.Rule(line: 1, .user(7), .nothing, try #require(Pattern($0)))
        }
        bus.enforce(Policy(rules + [Policy.Rule(line: 2, .everybody, .send, .everything)]))
    }

    private func tell(_ text: String, _ parts: String...) {
        let names = parts.map { "\"\($0)\"" }.joined(separator: ",")
        builder.send(#"send bench tell {"parts":[\#(names)],"text":"\#(text)"}"#)
    }

    private func snapshot(_ part: String, _ seq: Int) -> [String] {
        [
            #"{"from":"part/\#(part)","seq":\#(seq),"snapshot":true,"more":true,"event":{"left":{"number":0}}}"#,
            #"{"from":"part/\#(part)","seq":\#(seq),"snapshot":true,"more":true,"event":{"right":{"number":0}}}"#,
            #"{"from":"part/\#(part)","seq":\#(seq),"snapshot":true,"event":{"items":{"list":[]}}}"#,
        ]
    }

    /// The first member of each line, without the lines of snapshots.
    private func beginnings(of client: TestConnection) -> [String] {
        client.takeLines().filter { !$0.contains("snapshot") }
            .map { String($0.prefix { $0 != "," }) }
    }

    @Test func `A lost view model is gone, in address order, and sends nothing more`()
        throws
    {
        let (ann, bob) = (bus.connect(user: 7), bus.connect(user: 8))
        ann.join("part/*")
        bob.join("part/*")
        try hide("part/b", "part/a")
        ann.expect(#"{"gone":"part/a"}"#, #"{"gone":"part/b"}"#)
        tell("x", "a", "b", "c")
        ann.expect(#"{"from":"part/c","seq":1,"event":{"said":{"text":"x"}}}"#)
        #expect(bob.takeLines().count == 3)
        ann.send("list part/*")
        ann.expect(
            #"{"ok":{"viewModels":[{"address":"part/c","kind":"part","views":2,"seq":1}]}}"#)
    }

    @Test func `A won view model arrives for patterns, not for an address that was lost`()
        throws
    {
        let ann = bus.connect(user: 7)
        ann.join("part/a")
        ann.join("*/b")
        try hide("part/*")
        ann.expect(#"{"gone":"part/a"}"#, #"{"gone":"part/b"}"#)
        tell("x", "a", "b")
        ann.expectNothing()
        try hide("part/c")
        let lines = ann.takeLines()
        #expect(Array(lines.dropLast()) == snapshot("b", 1))
        #expect(lines.last?.hasPrefix(#"{"live":"part/b","cursor":"#) == true)
        tell("y", "a", "b")
        ann.expect(#"{"from":"part/b","seq":2,"event":{"said":{"text":"y"}}}"#)
        ann.send("unsubscribe part/a")
        ann.expect(#"{"error":{"code":"badRequest",…}}"#)
    }

    @Test func `A view model that is neither lost nor won is not sent again`() throws {
        let ann = bus.connect(user: 7)
        ann.join("**")
        try hide("nothing/**")
        try hide("bench2", "nothing/*")
        ann.expectNothing()
    }

    @Test func `A slow client is sent its gap, and then gone`() throws {
        let ann = bus.connect(user: 7)
        ann.join("part/*")
        ann.stall()
        tell("x", "a")
        bus.advance(by: .seconds(3))
        tell("y", "a")
        try hide("part/a")
        ann.readOn()
        ann.expect(#"{"gap":"part/a","missed":2}"#, #"{"gone":"part/a"}"#)
    }

    @Test
    func `A client that does not read is sent the gone and the arrivals of all policies in order`()
        throws
    {
        let ann = bus.connect(user: 7)
        ann.join("part/*")
        ann.stall()
        tell("x", "c")
        try hide("part/a")
        try hide("nothing")
        try hide("part/b")
        try hide("nothing")
        ann.readOn()
        let lines = beginnings(of: ann)
        #expect(
            lines == [
                #"{"from":"part/c""#, #"{"gone":"part/a"}"#, #"{"live":"part/a""#,
                #"{"gone":"part/b"}"#, #"{"live":"part/b""#,
            ])
    }

    @Test func `An arrival never precedes the answer to its only subscription`() throws {
        try hide("part/a", "bench")
        let ann = bus.connect(user: 7)
        ann.join("part/*")
        ann.stall()
        try hide("bench")
        ann.send("subscribe **")
        try hide("nothing")
        ann.readOn()
        let lines = beginnings(of: ann)
        #expect(
            lines == [
                #"{"ok":{"to":"**""#, #"{"live":"bus/views""#,
                #"{"live":"part/a""#, #"{"live":"part/b""#, #"{"live":"part/c""#,
                #"{"live":"**"}"#, #"{"live":"bench""#,
            ])
    }

    @Test func `A join in progress names nothing new, and reports what it named and lost`() throws {
        try hide("part/b")
        bus.bus.limitTurns(to: 1)
        let ann = bus.connect(user: 7)
        bus.queue("subscribe part/*", from: ann)
        var lines: [String] = []
        while lines.isEmpty {
            bus.turn()
            lines += ann.takeLines()
        }
        #expect(lines == [#"{"ok":{"to":"part/*","matched":["part/a","part/c"],"resumed":false}}"#])
        // Now `part/b` is won, and `part/c`, which is named but not shown, is lost.
        try hide("part/c")
        let rest = beginnings(of: ann)
        #expect(
            rest == [
                #"{"live":"part/a""#, #"{"live":"part/*"}"#, #"{"gone":"part/c"}"#,
                #"{"live":"part/b""#,
            ])
    }

    @Test func `Pending sends finish, and the next send is decided by the new policy`() throws {
        let log = TestLog()
        let bus = TestBus(log: log) { host in
            let world = TallyServices(host)
            host.register(TallyViewModel.self, services: world)
            world.open(host)
        }
        let ann = bus.connect(user: 7)
        let line = #"{"op":"send","to":"tally","event":{"add":{"_0":1}},"id":1}"#
        ann.send(line)
        ann.expectNothing()
        bus.enforce(Policy([Policy.Rule(line: 4, .everybody, .look, .everything)]))
        ann.send(line)
        ann.expectNothing()
        log.succeed()
        bus.logReported()
        ann.expect(
            #"{"ok":{…"changed":true},"id":1}"#,
            #"{"error":{"code":"notAllowed","message":"line 4 of the policy refuses this `send`"},"id":1}"#
        )
    }

    @Test func `A lost subscription to an address does not keep a view model on demand alive`()
        throws
    {
        let bus = TestBus.echoes()
        let (ann, root) = (bus.connect(user: 7), bus.connect())
        ann.join("echo/x")
        bus.enforce(
            Policy([Policy.Rule(line: 1, .everybody, .nothing, try #require(Pattern("echo/*")))]))
        ann.expect(#"{"gone":"echo/x"}"#)
        bus.advance(by: .seconds(121))
        root.send("list echo/x")
        root.expect(#"{"ok":{"viewModels":[]}}"#)
        // Allowed again, it is kept as long as before.
        bus.enforce(Policy([Policy.Rule(line: 1, .everybody, .send, .everything)]))
        ann.join("echo/y")
        bus.advance(by: .seconds(121))
        root.send("list echo/y")
        root.expect(#"{"ok":{"viewModels":[{"address":"echo/y",…}]}}"#)
    }
}
