import BusdProtocol
import BusdTestKit
import Testing

@Suite struct `The end of input` {
    let bus = TestBus.lab("a")
    let client: TestConnection

    init() { client = bus.connect() }

    @Test func `means no more requests: all are finished, then it is closed`() {
        client.send(bytes: Array("ping\nget bench\nping".utf8))
        client.endInput()
        client.expect(#"{"ok":{}}"#, #"{"ok":{"address":"bench",…}}"#, #"{"ok":{}}"#)
        #expect(client.isClosed)
    }

    @Test func `without a request closes at once`() {
        client.endInput()
        #expect(client.isClosed)
    }

    @Test func `leaves a subscription, whose events go on`() {
        client.send(bytes: Array("subscribe part/a".utf8))
        client.endInput()
        _ = client.takeLines()
        bus.connect().send(#"send part/a say {"text":"x"}"#)
        client.expect(#"{"from":"part/a","seq":1,"event":{"said":{"text":"x"}}}"#)
        #expect(!client.isClosed)
    }

    @Test func `leaves one with a pattern that matches nothing yet`() {
        client.join("nothing/**")
        client.endInput()
        #expect(!client.isClosed)
        bus.advance(by: .seconds(15))
        client.expect(#"{"ping":1}"#)
    }

    @Test func `is followed by a ping every 15 seconds`() {
        client.join("part/a")
        bus.advance(by: .seconds(100))
        client.endInput()
        bus.advance(by: .microseconds(14_999_999))
        client.expectNothing()
        bus.advance(by: .microseconds(1))
        client.expect(#"{"ping":1}"#)
        bus.advance(by: .seconds(45))
        client.expect(#"{"ping":1}"#, #"{"ping":1}"#, #"{"ping":1}"#)
    }

    @Test func `closes when the last view model that was subscribed to has ended`() {
        client.join("part/a")
        client.endInput()
        bus.connect().send(#"send bench remove {"part":"a"}"#)
        client.expect(#"{"gone":"part/a"}"#)
        #expect(client.isClosed)
    }

    @Test func `does not close while a pattern is subscribed to`() {
        client.join("part/a")
        client.join("part/*")
        client.endInput()
        bus.connect().send(#"send bench remove {"part":"a"}"#)
        client.expect(#"{"gone":"part/a"}"#)
        #expect(!client.isClosed)
    }

    @Test func `waits until the answers have been read`() {
        client.stall(after: 5)
        client.send("ping", "ping")
        client.endInput()
        #expect(!client.isClosed)
        bus.advance(by: .seconds(100))
        #expect(!client.isClosed)
        client.readOn()
        client.expect(#"{"ok":{}}"#, #"{"ok":{}}"#)
        #expect(client.isClosed)
    }

    @Test func `does not ping one that does not read`() {
        client.join("part/a")
        client.stall()
        client.endInput()
        bus.advance(by: .seconds(15))
        bus.connect().send("send bench nothing")
        bus.advance(by: .seconds(600))
        client.readOn()
        client.expect(#"{"ping":1}"#)
    }

    @Test func `may come twice, and what comes after it is not read`() {
        client.join("part/a")
        client.endInput()
        client.endInput()
        client.send("ping")
        client.expectNothing()
    }

    @Test func `after a subscription and its end closes too`() {
        client.send(bytes: Array("subscribe part/a\nunsubscribe part/a\nping".utf8))
        client.endInput()
        _ = client.takeLines()
        #expect(client.isClosed)
    }
}

@Suite struct `A client that vanishes` {
    @Test func `is forgotten, and hears nothing more`() {
        let bus = TestBus.lab("a")
        let (client, other) = (bus.connect(), bus.connect())
        client.join("part/a")
        client.vanish()
        #expect(client.isClosed)
        other.send("list part/a", #"send part/a say {"text":"x"}"#)
        other.expect(
            #"{"ok":{"viewModels":[{"address":"part/a","kind":"part","views":0,"seq":0}]}}"#)
        client.vanish()
    }

    @Test func `is noticed when it is written to`() {
        let bus = TestBus.lab("a")
        var client: TestConnection? = bus.connect()
        client?.join("part/a")
        client = nil
        let other = bus.connect()
        other.send(#"send part/a say {"text":"x"}"#, "list part/a")
        _ = other.takeLines()
        other.send("list part/a")
        other.expect(
            #"{"ok":{"viewModels":[{"address":"part/a","kind":"part","views":0,"seq":1}]}}"#)
    }

    @Test func `leaves its place to another, who gets nothing of it`() {
        let bus = TestBus.lab("a")
        let slow = bus.connect()
        slow.join("part/a")
        slow.stall()
        let other = bus.connect()
        other.tell("a", times: 3)
        slow.vanish()
        let next = bus.connect()
        bus.advance(by: .seconds(60))
        other.tell("a", times: 1)
        next.send(#"{"op":"hello","protocol":1}"#)
        next.expect(#"{"ok":{"protocol":1,"server":"test","connection":4,…}}"#)
    }
}

@Suite struct `The goodbye of the daemon` {
    private let bye = #"{"bye":{"code":"closing","message":"the daemon is stopping"}}"#

    @Test func `is told to everybody, and what is pending is flushed`() {
        let bus = TestBus.lab("a")
        let (fast, slow) = (bus.connect(), bus.connect())
        slow.join("part/a")
        slow.stall()
        fast.send(#"send part/a say {"text":"x"}"#)
        bus.stop()
        fast.expect(bye)
        #expect(fast.isClosed)
        #expect(!slow.isClosed)
        slow.readOn()
        slow.expect(#"{"from":"part/a","seq":1,"event":{"said":{"text":"x"}}}"#, bye)
        #expect(slow.isClosed)
    }

    @Test func `waits for two seconds at most`() {
        let bus = TestBus.lab("a")
        let slow = bus.connect()
        slow.stall()
        slow.send("ping")
        bus.stop()
        bus.advance(by: .microseconds(1_999_999))
        #expect(!slow.isClosed)
        bus.advance(by: .microseconds(1))
        #expect(slow.isClosed)
        slow.expectNothing()
    }

    @Test func `is told once, and nothing is handled after it`() {
        let bus = TestBus.lab("a")
        let client = bus.connect()
        client.stall()
        bus.stop()
        bus.stop()
        client.send("ping")
        client.readOn()
        client.expect(bye)
    }

    @Test func `is also told to a client that connects after it`() {
        let bus = TestBus.lab()
        bus.stop()
        let late = bus.connect()
        late.expect(#"{"bye":{"code":"closing","message":"the daemon is stopping"}}"#)
    }
}
