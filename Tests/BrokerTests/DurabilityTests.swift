import BusdBroker
import BusdHosting
import BusdProtocol
import BusdTestKit
import Testing

/// Nobody is shown or told of a change before it is on disk.
@Suite struct DurabilityTests {
    let disk = TallyDisk()
    let bus: TestBus

    init() {
        bus = .tally(on: disk) { $0.register(EchoForTests.self) }
    }

    func succeed() {
        disk.succeed()
        bus.committed()
    }

    func add(_ number: Int, _ id: String) -> String {
        #"{"op":"send","to":"tally","event":{"add":{"_0":\#(number)}},"id":"\#(id)"}"#
    }

    func joined() -> TestConnection {
        let view = bus.connect()
        view.send("subscribe tally")
        view.expect(
            #"{"ok":{"to":"tally","matched":["tally"],"resumed":false}}"#,
            #"{"from":"tally","seq":0,"snapshot":true,"event":{"count":{"_0":0}}}"#,
            #"{"live":"tally","cursor":"…:0","done":"…"}"#)
        return view
    }

    @Test func `events and the answer wait for the commit that covers them`() {
        let view = joined()
        let keeper = bus.connect()
        keeper.send(add(2, "a"))
        keeper.expectNothing()
        view.expectNothing()

        succeed()
        view.expect(
            #"{"from":"tally","seq":1,"cause":{"connection":2,"id":"a"},"event":{"count":"#
                + #"{"_0":2}}}"#
        )
        keeper.expect(#"{"ok":{"seq":[1,1],"changed":true},"id":"a"}"#)
        #expect(disk.commits == 1)
    }

    @Test func `four commits are under way, and what comes then goes with the next, as one`() {
        let keepers = (0..<6).map { _ in bus.connect() }
        for (keeper, id) in zip(keepers, ["a", "b", "c", "d", "e", "f"]) { keeper.send(add(1, id)) }
        #expect(disk.commits == 4)

        for (keeper, (id, seq)) in zip(keepers, zip(["a", "b", "c", "d"], 1...4)) {
            succeed()
            keeper.expect(#"{"ok":{"seq":[\#(seq),\#(seq)],"changed":true},"id":"\#(id)"}"#)
        }
        #expect(disk.commits == 5)
        keepers[4].expectNothing()

        succeed()
        keepers[4].expect(#"{"ok":{"seq":[5,5],"changed":true},"id":"e"}"#)
        keepers[5].expect(#"{"ok":{"seq":[6,6],"changed":true},"id":"f"}"#)
        #expect(disk.commits == 5)
    }

    @Test func `what nobody has been told of is not in the list, and nothing is twice`() {
        bus.connect().send(#"send tally open {"_0":"b"}"#)
        let other = bus.connect()
        other.send("get echo/x", "list")
        other.expect(
            #"{"ok":{"address":"echo/x",…}}"#,
            #"{"ok":{"viewModels":[{"address":"bus/views","kind":"views","views":0,"seq":0},"#
                + #"{"address":"echo/x","kind":"echo","views":0,"seq":0},"#
                + #"{"address":"tally","kind":"tally","views":0,"seq":0}]}}"#)
        succeed()
    }

    @Test func `what is not durable goes on while the disk is slow`() {
        bus.connect().send(add(1, "a"))
        let other = bus.connect()
        other.send("ping", #"{"op":"send","to":"echo/x","event":{"say":{"text":"hi"}},"id":1}"#)
        other.expect(#"{"ok":{}}"#, #"{"ok":{"seq":[1,1],"changed":true},"id":1}"#)
        succeed()
    }

    private func change(_ event: String, _ id: String) -> String {
        #"{"op":"send","to":"tally","event":{"\#(event)":{"_0":"b"}},"id":"\#(id)"}"#
    }

    @Test(arguments: [true, false])
    func `what has no effect is answered with what may be the reason`(isDone: Bool) {
        let (keeper, other) = (bus.connect(), bus.connect())
        keeper.send(change("close", "a"), change("open", "b"))
        // There is nothing that is not on disk.
        keeper.expect(#"{"ok":{"changed":false},"id":"a"}"#)
        succeed()
        keeper.expect(#"{"ok":{"changed":true,"made":"tally/b"},"id":"b"}"#)

        keeper.send(change("close", "c"))
        other.send(change("close", "d"))
        keeper.expectNothing()
        other.expectNothing()
        if isDone { succeed() } else { bus.committed(successfully: false) }
        if isDone {
            keeper.expect(#"{"ok":{"changed":true},"id":"c"}"#)
            other.expect(#"{"ok":{"changed":false},"id":"d"}"#)
        } else {
            let refused = #"{"error":{"code":"unavailable","message":"…"},"id":""#
            keeper.expect(refused + #"c"}"#)
            other.expect(refused + #"d"}"#)
        }
    }

    @Test func `who joins while the disk is slow is told what is on disk`() {
        let keeper = bus.connect()
        keeper.send(add(5, "a"))
        let view = joined()
        let reader = bus.connect()
        reader.send("get tally")
        reader.expect(
            #"{"ok":{"address":"tally","cursor":"…:0","done":"…","events":[{"count":{"_0":0}}]}}"#)

        succeed()
        view.expect(
            #"{"from":"tally","seq":1,"cause":{"connection":1,"id":"a"},"event":{"count":"#
                + #"{"_0":5}}}"#
        )
        keeper.expect(#"{"ok":{"seq":[1,1],"changed":true},"id":"a"}"#)
        reader.send("get tally")
        reader.expect(
            #"{"ok":{"address":"tally","cursor":"…:1","done":"…","events":[{"count":{"_0":5}}]}}"#)
    }

    @Test func `a joiner between two commits sees the first and not the second`() {
        let keepers = [bus.connect(), bus.connect()]
        keepers[0].send(add(1, "a"))
        keepers[1].send(add(1, "b"))
        succeed()
        keepers[0].expect(#"{"ok":{"seq":[1,1],"changed":true},"id":"a"}"#)
        let view = bus.connect()
        view.send("get tally")
        view.expect(
            #"{"ok":{"address":"tally","cursor":"…:1","done":"…","events":[{"count":{"_0":1}}]}}"#)
        succeed()
        keepers[1].expect(#"{"ok":{"seq":[2,2],"changed":true},"id":"b"}"#)
    }

    @Test func `a connection sees its own sends, also where they are not answered`() {
        let keeper = bus.connect()
        keeper.send(#"send tally add {"_0":3}"#, "get tally", "ping")
        keeper.expectNothing()
        succeed()
        keeper.expect(
            #"{"ok":{"address":"tally","cursor":"…:1","done":"…","events":[{"count":{"_0":3}}]}}"#,
            #"{"ok":{}}"#)
    }

    @Test func `a connection can send to what it has just made`() {
        let keeper = bus.connect()
        keeper.send(
            #"send tally open {"_0":"b"}"#,
            #"{"op":"send","to":"tally/b","event":{"add":{"_0":1}},"id":"a"}"#)
        keeper.expectNothing()
        succeed()
        keeper.expectNothing()
        succeed()
        keeper.expect(#"{"ok":{"seq":[1,1],"changed":true},"id":"a"}"#)
    }

    @Test func `sends of one connection go to disk together, and are answered in order`() {
        let keeper = bus.connect()
        keeper.send(
            add(1, "a"), add(1, "b"),
            #"{"op":"send","to":"tally","event":{"wrong":{}},"id":"c"}"#, add(1, "d"))
        #expect(disk.commits == 1)
        succeed()
        keeper.expect(
            #"{"ok":{"seq":[1,1],"changed":true},"id":"a"}"#,
            #"{"ok":{"seq":[2,2],"changed":true},"id":"b"}"#,
            #"{"error":{"code":"unknownEvent","message":"…","path":"event.wrong"},"id":"c"}"#,
            #"{"ok":{"seq":[3,3],"changed":true},"id":"d"}"#)
        #expect(disk.commits == 1)
    }

    @Test func `bad lines behind a send are answered in their place`() {
        let keeper = bus.connect()
        keeper.send(add(1, "a"), "{", "nonsense")
        keeper.expectNothing()
        succeed()
        keeper.expect(
            #"{"ok":{"seq":[1,1],"changed":true},"id":"a"}"#, #"{"error":{"code":"parse",…"#,
            #"{"error":{"code":"unknownOp",…"#)
    }

    @Test func `of two who insist on the same seq one wins`() {
        let keepers = [bus.connect(), bus.connect()]
        keepers[0].send(#"{"op":"send","to":"tally","event":{"add":{"_0":1}},"ifSeq":0,"id":"a"}"#)
        keepers[1].send(#"{"op":"send","to":"tally","event":{"add":{"_0":1}},"ifSeq":0,"id":"b"}"#)
        keepers[1].expectNothing()
        succeed()
        keepers[0].expect(#"{"ok":{"seq":[1,1],"changed":true},"id":"a"}"#)
        keepers[1].expect(#"{"error":{"code":"stale","message":"…","seq":1},"id":"b"}"#)
    }

    @Test func `a retry of a key that is not on disk yet waits for the first answer`() {
        let line = #"{"op":"send","to":"tally","event":{"add":{"_0":1}},"key":"k","id":"a"}"#
        let keepers = [bus.connect(), bus.connect()]
        keepers[0].send(line)
        keepers[1].send(line)
        succeed()
        keepers[0].expect(#"{"ok":{"seq":[1,1],"changed":true},"id":"a"}"#)
        keepers[1].expect(#"{"ok":{"seq":[1,1],"changed":true,"duplicate":true},"id":"a"}"#)
        #expect(disk.counts[.literal("tally")] == 1)
    }

    @Test func `half-closed, a connection is answered before it is closed`() {
        let keeper = bus.connect()
        keeper.send(add(1, "a"))
        keeper.endInput()
        #expect(!keeper.isClosed)
        succeed()
        keeper.expect(#"{"ok":{"seq":[1,1],"changed":true},"id":"a"}"#)
        #expect(keeper.isClosed)
    }

    @Test func `who has gone is not answered, and what was sent is done`() {
        let keeper = bus.connect()
        keeper.send(add(1, "a"))
        keeper.vanish()
        succeed()
        let reader = bus.connect()
        reader.send("get tally")
        reader.expect(
            #"{"ok":{"address":"tally","cursor":"…:1","done":"…","events":[{"count":{"_0":1}}]}}"#)
    }
}
