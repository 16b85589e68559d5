import BusdProtocol
import BusdTestKit
import Testing

@Suite struct `The end of input` {
    let bus = TestBus.lab("a")
    let client: TestConnection

    init() { client = bus.connect() }

    @Test func `A half-closed connection is closed after its last answer`() {
        client.send(bytes: Array("ping\nget bench\nping".utf8))
        client.endInput()
        client.expect(#"{"ok":{}}"#, #"{"ok":{"address":"bench",…}}"#, #"{"ok":{}}"#)
        #expect(client.isClosed)
    }

    @Test func `A connection that half-closes without a request is closed at once`() {
        client.endInput()
        #expect(client.isClosed)
    }

    @Test func `A half-closed connection with a subscription still gets events`() {
        client.send(bytes: Array("subscribe part/a".utf8))
        client.endInput()
        _ = client.takeLines()
        bus.connect().send(#"send part/a say {"text":"x"}"#)
        client.expect(#"{"from":"part/a","seq":1,"event":{"said":{"text":"x"}}}"#)
        #expect(!client.isClosed)
    }

    @Test func `A half-closed connection stays open for a pattern that matches nothing yet`() {
        client.join("nothing/**")
        client.endInput()
        #expect(!client.isClosed)
        bus.advance(by: .seconds(15))
        client.expect(#"{"ping":1}"#)
    }

    @Test func `A half-closed connection gets a ping every 15 seconds`() {
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

    @Test func `A half-closed connection is closed when its last view model has ended`() {
        client.join("part/a")
        client.endInput()
        bus.connect().send(#"send bench remove {"part":"a"}"#)
        client.expect(#"{"gone":"part/a"}"#)
        #expect(client.isClosed)
    }

    @Test func `A half-closed connection stays open while it is subscribed to a pattern`() {
        client.join("part/a")
        client.join("part/*")
        client.endInput()
        bus.connect().send(#"send bench remove {"part":"a"}"#)
        client.expect(#"{"gone":"part/a"}"#)
        #expect(!client.isClosed)
    }

    @Test func `A half-closed connection is closed after it has read its answers`() {
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

    @Test func `At most one ping waits for a half-closed connection that does not read`() {
        client.join("part/a")
        client.stall()
        client.endInput()
        bus.advance(by: .seconds(15))
        bus.connect().send("send bench nothing")
        bus.advance(by: .seconds(600))
        client.readOn()
        client.expect(#"{"ping":1}"#)
    }

    @Test func `Input after a half-close is ignored, as is a second half-close`() {
        client.join("part/a")
        client.endInput()
        client.endInput()
        client.send("ping")
        client.expectNothing()
    }

    @Test func `A half-closed connection that has unsubscribed is closed`() {
        client.send(bytes: Array("subscribe part/a\nunsubscribe part/a\nping".utf8))
        client.endInput()
        _ = client.takeLines()
        #expect(client.isClosed)
    }
}

@Suite struct `A client that vanishes` {
    @Test func `A client that vanishes is unsubscribed`() {
        let bus = TestBus.lab("a")
        let (client, other) = (bus.connect(), bus.connect())
        client.join("part/a")
        client.disconnect()
        #expect(client.isClosed)
        other.send("list part/a", #"send part/a say {"text":"x"}"#)
        other.expect(
            #"{"ok":{"viewModels":[{"address":"part/a","kind":"part","views":0,"seq":0}]}}"#)
        client.disconnect()
    }

    @Test func `A vanished client is noticed when it is written to`() {
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

    @Test func `The next connection in the slot of a vanished client gets none of its lines`() {
        let bus = TestBus.lab("a")
        let slow = bus.connect()
        slow.join("part/a")
        slow.stall()
        let other = bus.connect()
        other.tell("a", times: 3)
        slow.disconnect()
        let next = bus.connect()
        bus.advance(by: .seconds(60))
        other.tell("a", times: 1)
        next.send(#"{"op":"hello","protocol":1}"#)
        next.expect(#"{"ok":{"protocol":1,"server":"test","connection":4,…}}"#)
    }
}

@Suite struct `The goodbye of the daemon` {
    private let bye = #"{"bye":{"code":"closing","message":"the daemon is stopping"}}"#

    @Test func `Every client gets the goodbye after its pending lines`() {
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

    @Test func `A client that does not read is closed two seconds after the goodbye`() {
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

    @Test func `The goodbye is sent once, and no request is handled after it`() {
        let bus = TestBus.lab("a")
        let client = bus.connect()
        client.stall()
        bus.stop()
        bus.stop()
        client.send("ping")
        client.readOn()
        client.expect(bye)
    }

    @Test func `A client that connects after the stop gets the goodbye`() {
        let bus = TestBus.lab()
        bus.stop()
        let late = bus.connect()
        late.expect(#"{"bye":{"code":"closing","message":"the daemon is stopping"}}"#)
    }
}
