import BusdBroker
import BusdHosting
import BusdProtocol
import BusdTestKit
import Testing

/// An action changes its thing, is shown and is answered after the log has it.
@Suite struct DurabilityTests {
    let tallies = TallyFixture { $0.register(EchoForTests.self) }

    func connect() -> TestConnection { tallies.connect() }
    func succeed() { tallies.succeed() }

    func add(_ number: Int, _ id: String, to address: String = "tally") -> String {
        #"{"op":"send","to":"\#(address)","event":{"add":{"_0":\#(number)}},"id":"\#(id)"}"#
    }

    func joined() -> TestConnection {
        let view = connect()
        view.send("subscribe tally")
        view.expect(
            #"{"ok":{"to":"tally","matched":["tally"],"resumed":false}}"#,
            #"{"from":"tally","seq":0,"snapshot":true,"event":{"count":{"_0":0}}}"#,
            #"{"live":"tally","cursor":"…:0","done":"…"}"#)
        return view
    }

    @Test func `Events and the answer come when the commit that covers them has succeeded`() {
        let view = joined()
        let keeper = connect()
        keeper.send(add(2, "a"))
        keeper.expectNothing()
        view.expectNothing()

        succeed()
        view.expect(
            #"{"from":"tally","seq":1,"cause":{"connection":2,"id":"a"},"event":{"count":"#
                + #"{"_0":2}}}"#
        )
        keeper.expect(#"{"ok":{"seq":[1,1],"changed":true},"id":"a"}"#)
        #expect(tallies.log.commits == 1)
    }

    @Test func `An entry of the log has the name and the user of its sender`() {
        let (ann, bo) = (tallies.bus.connect(user: 7), connect())
        ann.send(#"{"op":"hello","protocol":1,"name":"ann"}"#, add(1, "a"))
        bo.send(add(2, "b"))
        ann.expect(#"{"ok":{"protocol":1,…}}"#)
        succeed()
        succeed()
        ann.expect(#"{"ok":{"seq":[1,1],"changed":true},"id":"a"}"#)
        bo.expect(#"{"ok":{"seq":[2,2],"changed":true},"id":"b"}"#)
        #expect(tallies.log.entries.map(\.by) == ["ann", nil])
        #expect(tallies.log.entries.map(\.uid) == [7, TestBus.owner])
        #expect(tallies.log.entries.map(\.daemon) == [nil, nil])
    }

    @Test func `A pending creation is not in the list`() {
        connect().send(#"send tally open {"_0":"b"}"#)
        let other = connect()
        let list =
            #"{"ok":{"viewModels":[{"address":"bus/views","kind":"views","views":0,"seq":0},"#
            + #"{"address":"echo/x","kind":"echo","views":0,"seq":0},"#
            + #"{"address":"tally","kind":"tally","views":0,"seq":0}"#
        other.send("get echo/x", "list")
        other.expect(#"{"ok":{"address":"echo/x",…}}"#, list + "]}}")
        succeed()
        other.send("list")
        other.expect(
            list + #",{"address":"tally/b","kind":"tally","views":0,"seq":0}]}}"#)
    }

    @Test func `A kind that is not durable goes on while the disk is slow`() {
        connect().send(add(1, "a"))
        let other = connect()
        other.send("ping", #"{"op":"send","to":"echo/x","event":{"say":{"text":"hi"}},"id":1}"#)
        other.expect(#"{"ok":{}}"#, #"{"ok":{"seq":[1,1],"changed":true},"id":1}"#)
    }

    private func change(_ event: String, _ id: String) -> String {
        #"{"op":"send","to":"tally","event":{"\#(event)":{"_0":"b"}},"id":"\#(id)"}"#
    }

    @Test func `An action without effect is not appended if nothing is pending for its thing`() {
        let keeper = connect()
        keeper.send(change("close", "a"))
        keeper.expect(#"{"ok":{"changed":false},"id":"a"}"#)
        #expect(tallies.log.commits == 0)
    }

    @Test func `Whether an action has an effect is decided when it is applied`() {
        let (keeper, other) = (connect(), connect())
        keeper.send(change("open", "a"))
        succeed()
        keeper.expect(#"{"ok":{"changed":true,"made":"tally/b"},"id":"a"}"#)
        keeper.send(change("close", "c"))
        other.send(change("close", "d"))
        other.expectNothing()
        succeed()
        succeed()
        keeper.expect(#"{"ok":{"changed":true},"id":"c"}"#)
        other.expect(#"{"ok":{"changed":false},"id":"d"}"#)
    }

    @Test func `A reader gets the applied state and never waits for a commit`() {
        let keeper = connect()
        keeper.send(add(5, "a"))
        let view = joined()
        let reader = connect()
        reader.send("get tally")
        reader.expect(
            #"{"ok":{"address":"tally","cursor":"…:0","done":"…","events":[{"count":{"_0":0}}]}}"#)

        succeed()
        view.expect(
            #"{"from":"tally","seq":1,"cause":{"connection":1,"id":"a"},"event":{"count":"#
                + #"{"_0":5}}}"#
        )
        keeper.expect(#"{"ok":{"seq":[1,1],"changed":true},"id":"a"}"#)
    }

    @Test func `A connection reads its own writes, also those without an answer`() {
        let keeper = connect()
        keeper.send(#"send tally add {"_0":3}"#, "get tally", "ping")
        keeper.expectNothing()
        succeed()
        keeper.expect(
            #"{"ok":{"address":"tally","cursor":"…:1","done":"…","events":[{"count":{"_0":3}}]}}"#,
            #"{"ok":{}}"#)
    }

    @Test func `A connection can send to a thing that it has just created`() {
        let keeper = connect()
        keeper.send(#"send tally open {"_0":"b"}"#, add(1, "a", to: "tally/b"))
        keeper.expectNothing()
        succeed()
        keeper.expectNothing()
        succeed()
        keeper.expect(#"{"ok":{"seq":[1,1],"changed":true},"id":"a"}"#)
    }

    @Test func `Sends to other parts wait for a pending creation, and then share a commit`() {
        let keeper = connect()
        keeper.send(#"send tally open {"_0":"b"}"#)
        succeed()
        keeper.send(
            #"send tally open {"_0":"c"}"#, add(1, "a", to: "tally/b"), add(2, "b", to: "tally"))
        #expect(tallies.log.batches.map(\.count) == [1])
        succeed()
        #expect(tallies.log.batches.map(\.count) == [2])
        succeed()
        keeper.expect(
            #"{"ok":{"seq":[1,1],"changed":true},"id":"a"}"#,
            #"{"ok":{"seq":[1,1],"changed":true},"id":"b"}"#)
    }

    @Test func `Pipelined sends are one commit, and are answered in order`() {
        let keeper = connect()
        keeper.send(
            add(1, "a"), add(1, "b"),
            #"{"op":"send","to":"tally","event":{"wrong":{}},"id":"c"}"#, add(1, "d"))
        #expect(tallies.log.batches.map(\.count) == [3])
        keeper.expectNothing()
        succeed()
        keeper.expect(
            #"{"ok":{"seq":[1,1],"changed":true},"id":"a"}"#,
            #"{"ok":{"seq":[2,2],"changed":true},"id":"b"}"#,
            #"{"error":{"code":"unknownEvent","message":"…","path":"event.wrong"},"id":"c"}"#,
            #"{"ok":{"seq":[3,3],"changed":true},"id":"d"}"#)
    }

    @Test func `Bad lines behind a send are answered in their place`() {
        let keeper = connect()
        keeper.send(add(1, "a"), "{", "nonsense")
        keeper.expectNothing()
        succeed()
        keeper.expect(
            #"{"ok":{"seq":[1,1],"changed":true},"id":"a"}"#, #"{"error":{"code":"parse",…"#,
            #"{"error":{"code":"unknownOp",…"#)
    }

    @Test func `Of two sends with the same ifSeq the first is applied and the other is stale`() {
        let keepers = [connect(), connect()]
        keepers[0].send(#"{"op":"send","to":"tally","event":{"add":{"_0":1}},"ifSeq":0,"id":"a"}"#)
        keepers[1].send(#"{"op":"send","to":"tally","event":{"add":{"_0":1}},"ifSeq":0,"id":"b"}"#)
        keepers[1].expectNothing()
        succeed()
        succeed()
        keepers[0].expect(#"{"ok":{"seq":[1,1],"changed":true},"id":"a"}"#)
        keepers[1].expect(#"{"error":{"code":"stale","message":"…","seq":1},"id":"b"}"#)
        #expect(tallies.count() == 1)
    }

    @Test func `A retry of a pending key is applied once, and gets the same answer`() {
        let line = #"{"op":"send","to":"tally","event":{"add":{"_0":1}},"key":"k","id":"a"}"#
        let keepers = [connect(), connect()]
        keepers[0].send(line)
        keepers[1].send(line)
        succeed()
        succeed()
        keepers[0].expect(#"{"ok":{"seq":[1,1],"changed":true},"id":"a"}"#)
        keepers[1].expect(#"{"ok":{"seq":[1,1],"changed":true,"duplicate":true},"id":"a"}"#)
        #expect(tallies.count() == 1)
    }

    @Test func `A retry after a restart is a duplicate, and has no seq any more`() {
        let line = #"{"op":"send","to":"tally","event":{"add":{"_0":1}},"key":"k","id":"a"}"#
        let keeper = connect()
        keeper.send(line)
        succeed()
        keeper.expect(#"{"ok":{"seq":[1,1],"changed":true},"id":"a"}"#)
        var content = LogContent()
        content.entries = tallies.log.entries
        content.lastNumber = 1
        let next = TallyFixture(content: content)
        let again = next.connect()
        again.send(line)
        again.expect(#"{"ok":{"duplicate":true},"id":"a"}"#)
        #expect(next.count() == 1)
        #expect(next.log.commits == 0)
    }

    @Test func `A half-closed connection is answered before it is closed`() {
        let keeper = connect()
        keeper.send(add(1, "a"))
        keeper.endInput()
        #expect(!keeper.isClosed)
        succeed()
        keeper.expect(#"{"ok":{"seq":[1,1],"changed":true},"id":"a"}"#)
        #expect(keeper.isClosed)
    }

    @Test func `A send of a connection that has vanished is applied all the same`() {
        let keeper = connect()
        keeper.send(add(1, "a"))
        keeper.disconnect()
        succeed()
        #expect(tallies.count() == 1)
    }

    // MARK: Refusals

    private func unavailable(_ id: String) -> String {
        #"{"error":{"code":"unavailable","message":"…"},"id":"\#(id)"}"#
    }

    @Test func `A refused send, and all behind it, changes nothing and is never shown`() {
        let view = joined()
        let (keeper, other) = (connect(), connect())
        keeper.send(add(1, "a"))
        other.send(add(2, "b"), #"{"op":"get","to":"tally","id":"c"}"#)
        tallies.fail()
        keeper.expect(unavailable("a"))
        other.expect(
            unavailable("b"),
            #"{"ok":{"address":"tally","cursor":"…:0","done":"…","events":[{"count":{"_0":0}}]},"#
                + #""id":"c"}"#)
        view.expectNothing()
        keeper.send(add(3, "d"))
        #expect(tallies.log.batches.map { $0.map(\.number) } == [[1]])
        succeed()
        keeper.expect(#"{"ok":{"seq":[1,1],"changed":true},"id":"d"}"#)
        view.expect(#"{"from":"tally","seq":1,…,"event":{"count":{"_0":3}}}"#)
    }

    @Test func `A refused send leaves no key`() {
        let line = #"{"op":"send","to":"tally","event":{"add":{"_0":1}},"key":"k","id":"a"}"#
        let keeper = connect()
        keeper.send(line)
        tallies.fail()
        keeper.expect(unavailable("a"))
        keeper.send(line)
        succeed()
        keeper.expect(#"{"ok":{"seq":[1,1],"changed":true},"id":"a"}"#)
    }

    @Test func `While the log is not available a send is refused at once`() {
        let keeper = connect()
        keeper.send(add(1, "a"))
        tallies.log.isAvailable = false
        let other = connect()
        other.send(add(2, "b"), "ping")
        other.expect(unavailable("b"), #"{"ok":{}}"#)
        keeper.expectNothing()
        tallies.log.isAvailable = true
        succeed()
        keeper.expect(#"{"ok":{"seq":[1,1],"changed":true},"id":"a"}"#)
        #expect(tallies.count() == 1)
    }

    @Test func `A refused creation is never shown`() {
        let view = connect()
        view.send("subscribe tally/*")
        view.expect(
            #"{"ok":{"to":"tally/*","matched":[],"resumed":false}}"#, #"{"live":"tally/*"}"#)
        let keeper = connect()
        keeper.send(change("open", "a"))
        tallies.fail()
        keeper.expect(unavailable("a"))
        view.expectNothing()
    }
}
