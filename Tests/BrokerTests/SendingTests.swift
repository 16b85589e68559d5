import BusdProtocol
import BusdTestKit
import Testing

@Suite struct `A send` {
    let bus = TestBus.lab("a")
    let client: TestConnection

    init() { client = bus.connect() }

    private func send(_ members: String) { client.send(#"{"op":"send",\#(members)}"#) }

    private func say(_ text: String, _ members: String) {
        send(#""to":"part/a","event":{"say":{"text":"\#(text)"}},\#(members)"#)
    }

    @Test func `A send with an id is answered with the events that it caused`() {
        send(#""to":"part/a","event":{"set":{"left":1,"right":1}},"id":1"#)
        send(#""to":"part/a","event":{"set":{"left":1}},"id":2"#)
        send(#""to":"part/a","event":{"set":{"left":2}}"#)
        client.expect(
            #"{"ok":{"seq":[1,2],"changed":true},"id":1}"#, #"{"ok":{"changed":false},"id":2}"#)
    }

    @Test func `A send is answered after all events that it caused`() {
        client.join("part/a")
        client.send(
            #"{"op":"send","to":"part/a","event":{"burst":{"count":2,"size":1}},"id":1}"#,
            #"{"op":"ping","id":2}"#)
        client.expect(
            #"{"from":"part/a","seq":1,"more":true,"cause":{"connection":2,"id":1},"event":"#
                + #"{"said":{"text":"x"}}}"#,
            #"{"from":"part/a","seq":2,"cause":{"connection":2,"id":1},"event":{"said":{"text":"#
                + #""x"}}}"#,
            #"{"ok":{"seq":[1,2],"changed":true},"id":1}"#, #"{"ok":{},"id":2}"#)
    }

    @Test func `An answer has only the seq of the view model that the send names`() {
        send(#""to":"bench","event":{"tell":{"parts":["a"],"text":"x"}},"id":1"#)
        send(#""to":"bench","event":{"add":{"part":"b"}},"id":2"#)
        client.expect(
            #"{"ok":{"changed":false},"id":1}"#,
            #"{"ok":{"seq":[2,2],"changed":true,"made":"part/b"},"id":2}"#)
    }

    @Test func `An event without a payload may be a bare name`() {
        for event in [#""nothing""#, #"{"nothing":{}}"#] {
            send(#""to":"bench","event":\#(event),"id":1"#)
            client.expect(#"{"ok":{"changed":false},"id":1}"#)
        }
        send(#""to":"part/a","event":"say","id":2"#)
        client.expect(
            #"{"error":{"code":"badEvent","message":"missing key","path":"#
                + #""event.say.text"},"id":2}"#
        )
    }

    @Test(arguments: [
        (
            #"{"sya":{"text":"x"}}"#,
            #""unknownEvent","message":"`part` has no event `sya`","path":"event.sya","#
                + #""suggestions":["say"]"#
        ),
        (
            #""xyzzy""#,
            #""unknownEvent","message":"`part` has no event `xyzzy`","path":"event.xyzzy""#
        ),
        (
            #"{"say":{"text":1}}"#,
            #""badEvent","message":"expected a text","path":"event.say.text""#
        ),
        (
            #"{"say":{"text":"x","to":"y"}}"#,
            #""badEvent","message":"unknown key","path":"event.say.to""#
        ),
        (#"{"say":{}}"#, #""badEvent","message":"missing key","path":"event.say.text""#),
        (#"{"say":null}"#, #""badEvent","message":"expected an object","path":"event.say""#),
        (
            #"{"burst":{"count":1.5,"size":1}}"#,
            #""badEvent","message":"expected an integer in range","path":"event.burst.count""#
        ),
        (
            #"{"say":{"text":"x"},"end":{}}"#,
            #""badEvent","message":"an event is an object with one key, or its bare name","#
                + #""path":"event""#
        ),
        (
            "{}",
            #""badEvent","message":"an event is an object with one key, or its bare name","#
                + #""path":"event""#
        ),
        (
            "[]",
            #""badEvent","message":"an event is an object with one key, or its bare name","#
                + #""path":"event""#
        ),
        (
            "1",
            #""badEvent","message":"an event is an object with one key, or its bare name","#
                + #""path":"event""#
        ),
        (
            "null",
            #""badEvent","message":"an event is an object with one key, or its bare name","#
                + #""path":"event""#
        ),
    ])
    func `A bad event is refused with the path of its fault`(event: String, error: String) {
        send(#""to":"part/a","event":\#(event),"id":1"#)
        client.expect(#"{"error":{"code":\#(error)},"id":1}"#)
    }

    @Test func `The refusal of a wrong list element names its index`() {
        send(#""to":"bench","event":{"tell":{"parts":["a",2],"text":"x"}}"#)
        client.expect(
            #"{"error":{"code":"badEvent","message":"expected a text","path":"#
                + #""event.tell.parts.1"}}"#
        )
    }

    @Test func `A send to a missing address is refused with suggestions`() {
        send(#""to":"part/aa","event":"end","id":1"#)
        client.expect(
            #"{"error":{"code":"unknownViewModel","message":"there is no view model part/aa","#
                + #""suggestions":["part/a"]},"id":1}"#)
    }

    @Test func `A send that ends its view model is answered without a seq`() {
        send(#""to":"part/a","event":"end","id":1"#)
        send(#""to":"part/a","event":"end","id":2"#)
        client.expect(
            #"{"ok":{"changed":true},"id":1}"#, #"{"error":{"code":"unknownViewModel",…},"id":2}"#)
    }

    // MARK: ifSeq

    @Test func `A send with ifSeq is handled only if it is the current seq`() {
        say("x", #""ifSeq":0,"id":1"#)
        say("y", #""ifSeq":0,"id":2"#)
        say("z", #""ifSeq":1,"id":3"#)
        say("z", #""ifSeq":-1"#)
        client.expect(
            #"{"ok":{"seq":[1,1],"changed":true},"id":1}"#,
            #"{"error":{"code":"stale","message":"`seq` is now 1, not 0","seq":1},"id":2}"#,
            #"{"ok":{"seq":[2,2],"changed":true},"id":3}"#,
            #"{"error":{"code":"stale","message":"`seq` is now 2, not -1","seq":2}}"#)
    }

    @Test func `A cursor as ifSeq is stale if its mark is of another view model`() throws {
        client.send("get part/a")
        let line = try #require(client.takeLines().first)
        let cursor = try #require(Cursor(String(line.split(separator: "\"")[9])))
        say("x", #""ifSeq":"1z:0","id":1"#)
        say("y", #""ifSeq":"\#(cursor)","id":2"#)
        client.expect(
            #"{"error":{"code":"stale","message":"the cursor is now \#(cursor), not 1z:0","#
                + #""seq":0},"id":1}"#,
            #"{"ok":{"seq":[1,1],"changed":true},"id":2}"#)
    }

    @Test func `The second of two sends with the same ifSeq is stale`() {
        let other = bus.connect()
        client.join("part/a")
        say("mine", #""ifSeq":0,"id":1"#)
        other.send(#"{"op":"send","to":"part/a","event":{"say":{"text":"late"}},"ifSeq":0,"id":1}"#)
        other.expect(#"{"error":{"code":"stale","message":"…","seq":1},"id":1}"#)
        client.expect(
            #"{"from":"part/a","seq":1,"cause":{"connection":2,"id":1},"event":{"said":{"text":"#
                + #""mine"}}}"#,
            #"{"ok":{"seq":[1,1],"changed":true},"id":1}"#)
    }

    // MARK: key

    @Test func `A send with a known key has no effect, and gets the first answer again`() {
        client.join("part/a")
        say("x", #""key":"k","id":1"#)
        _ = client.takeLines()
        say("x", #""key":"k","id":2"#)
        say("something else", #""key":"k","id":3"#)
        say("without an id", #""key":"k""#)
        client.expect(
            #"{"ok":{"seq":[1,1],"changed":true,"duplicate":true},"id":2}"#,
            #"{"ok":{"seq":[1,1],"changed":true,"duplicate":true},"id":3}"#)
    }

    @Test func `The key of a send without an effect is remembered`() {
        send(#""to":"part/a","event":{"set":{"left":0}},"key":"k","id":1"#)
        send(#""to":"part/a","event":{"set":{"left":9}},"key":"k","id":2"#)
        client.expect(
            #"{"ok":{"changed":false},"id":1}"#,
            #"{"ok":{"changed":false,"duplicate":true},"id":2}"#)
    }

    @Test func `A key is known from any connection, and only to its view model`() {
        client.send(#"send bench add {"part":"b"}"#)
        say("x", #""key":"k","id":1"#)
        let other = bus.connect()
        other.send(#"{"op":"send","to":"part/a","event":{"say":{"text":"x"}},"key":"k","id":1}"#)
        other.expect(#"{"ok":{"seq":[1,1],"changed":true,"duplicate":true},"id":1}"#)
        other.send(#"{"op":"send","to":"part/b","event":{"say":{"text":"x"}},"key":"k","id":1}"#)
        other.expect(#"{"ok":{"seq":[1,1],"changed":true},"id":1}"#)
        client.expect(#"{"ok":{"seq":[1,1],"changed":true},"id":1}"#)
    }

    @Test func `A known key is answered before ifSeq is checked`() {
        say("x", #""ifSeq":0,"key":"k","id":1"#)
        say("x", #""ifSeq":0,"key":"k","id":2"#)
        client.expect(
            #"{"ok":{"seq":[1,1],"changed":true},"id":1}"#,
            #"{"ok":{"seq":[1,1],"changed":true,"duplicate":true},"id":2}"#)
    }

    @Test func `A refused send leaves no key`() {
        say("x", #""ifSeq":5,"key":"k""#)
        send(#""to":"part/a","event":"sya","key":"k""#)
        _ = client.takeLines()
        say("x", #""key":"k","id":1"#)
        client.expect(#"{"ok":{"seq":[1,1],"changed":true},"id":1}"#)
    }

    @Test func `Keys are compared by their code points`() {
        say("x", #""key":"\u00e9","id":1"#)
        say("x", #""key":"e\u0301","id":2"#)
        say("x", #""key":"é","id":3"#)
        client.expect(
            #"{"ok":{"seq":[1,1],"changed":true},"id":1}"#,
            #"{"ok":{"seq":[2,2],"changed":true},"id":2}"#,
            #"{"ok":{"seq":[1,1],"changed":true,"duplicate":true},"id":3}"#)
    }

    @Test(arguments: [3, 1_024])
    func `Only the last keys are remembered`(most: Int) {
        var limits = Limits()
        limits.history = most
        let bus = TestBus.lab("a", limits: limits)
        let client = bus.connect()
        func say(_ key: Int) -> String? {
            client.send(
                #"{"op":"send","to":"part/a","event":{"say":{"text":"x"}},"key":"\#(key)","id":0}"#)
            return client.takeLines().last
        }
        for key in 1...(2 * most + 1) {
            #expect(say(key) == #"{"ok":{"seq":[\#(key),\#(key)],"changed":true},"id":0}"#)
        }
        let oldest = most + 2
        #expect(
            say(oldest)
                == #"{"ok":{"seq":[\#(oldest),\#(oldest)],"changed":true,"duplicate":true},"id":0}"#
        )
        #expect(
            say(oldest - 1)
                == #"{"ok":{"seq":[\#(2 * most + 2),\#(2 * most + 2)],"changed":true},"id":0}"#)
        #expect(
            say(oldest)
                == #"{"ok":{"seq":[\#(2 * most + 3),\#(2 * most + 3)],"changed":true},"id":0}"#)
    }

    @Test func `A key is not known to a later view model at the address`() {
        say("x", #""key":"k","id":1"#)
        client.send(#"send bench remove {"part":"a"}"#, #"send bench add {"part":"a"}"#)
        say("x", #""key":"k","id":2"#)
        client.expect(
            #"{"ok":{"seq":[1,1],"changed":true},"id":1}"#,
            #"{"ok":{"seq":[1,1],"changed":true},"id":2}"#)
    }
}
