import BusdBroker
import BusdProtocol
import Testing

@testable import BusdTestKit

/// The shell gives the time to the bus once per turn.
@Suite struct `A tick` {
    let bus = TestBus.lab("a")
    let client: TestConnection

    init() { client = bus.connect() }

    private func tick(_ seconds: Int64) {
        bus.bus.tick(Instant(microseconds: seconds * 1_000_000))
        bus.settle()
    }

    @Test func `A tick fires all due timers in the order of their times`() {
        client.send(#"{"op":"subscribe","to":"part/a","only":["said"]}"#)
        client.send(
            #"send part/a later {"seconds":3,"text":"c"}"#,
            #"send part/a later {"seconds":1,"text":"a"}"#,
            #"send part/a later {"seconds":2,"text":"b"}"#)
        _ = client.takeLines()
        tick(2)
        client.expect(
            #"{"from":"part/a","seq":1,"event":{"said":{"text":"a"}}}"#,
            #"{"from":"part/a","seq":2,"event":{"said":{"text":"b"}}}"#)
        tick(2)
        client.expectNothing()
        tick(100)
        client.expect(#"{"from":"part/a","seq":3,"event":{"said":{"text":"c"}}}"#)
    }

    @Test func `A late tick fires a deadline of the bus once`() {
        client.join("part/a")
        client.endInput()
        tick(100)
        client.expect(#"{"ping":1}"#)
        tick(114)
        client.expectNothing()
        tick(115)
        client.expect(#"{"ping":1}"#)
    }

    @Test func `A tick never moves time back`() {
        tick(50)
        tick(10)
        #expect(bus.bus.now == Instant(microseconds: 50_000_000))
    }

    @Test func `The next tick is due at the next timer or deadline`() {
        #expect(bus.bus.nextDue == nil)
        client.send(#"send part/a later {"seconds":30,"text":"x"}"#)
        #expect(bus.bus.nextDue == Instant(microseconds: 30_000_000))
        client.join("part/a")
        client.stall()
        client.tell("a", times: 1)
        #expect(bus.bus.nextDue == Instant(microseconds: 2_000_000))
        client.readOn()
        _ = client.takeLines()
    }

    @Test func `A tick closes clients that have not read the goodbye after two seconds`() {
        #expect(bus.bus.hasSentGoodbyes == false)
        client.stall()
        bus.stop()
        #expect(bus.bus.hasSentGoodbyes == false)
        tick(2)
        #expect(client.isClosed)
        #expect(bus.bus.hasSentGoodbyes == true)
    }
}
