import BusdBroker
import BusdHosting
import BusdProtocol
import Testing

@testable import BusdTestKit

@Suite struct `The view model bus/tap` {
    let bus = TestBus.lab("a") { $0.register(BusTapViewModel.self) }
    let client: TestConnection
    let sender: TestConnection

    init() {
        client = bus.connect()
        sender = bus.connect(user: 7)
        client.join("bus/tap")
    }

    private func sends(_ seq: Int, _ rows: String...) -> String {
        #"{"from":"bus/tap","seq":\#(seq),"event":{"sends":{"sends":"#
            + #"[\#(rows.joined(separator: ","))]}}}"#
    }

    private func totals(_ seq: Int, _ shown: Int, _ others: Int) -> String {
        #"{"from":"bus/tap","seq":\#(seq),"event":"#
            + #"{"totals":{"shown":\#(shown),"others":\#(others)}}}"#
    }

    private func row(
        _ to: String, _ event: String?, _ outcome: String, _ time: Int = 1, name: String? = nil
    ) -> String {
        #"{"connection":3,"# + (name.map { #""name":"\#($0)","# } ?? "")
            + #""uid":7,"to":"\#(to)","# + (event.map { #""event":"\#($0)","# } ?? "")
            + #""outcome":"\#(outcome)","microseconds":\#(time)}"#
    }

    @Test func `Each send has a row with its names and its outcome, and no payload`() {
        sender.send(#"{"op":"hello","protocol":1,"name":"court"}"#)
        _ = sender.takeLines()
        sender.send(
            #"send part/a say {"text":"secret"}"#, "send bench nothing", "ping",
            #"{"op":"send","to":"part/a","event":"secret"}"#,
            #"{"op":"send","to":"part/b","event":{"secret":{}}}"#)
        #expect(sender.takeLines().count == 3)
        client.expectNothing()
        bus.advance(by: .milliseconds(100))
        client.expect(
            sends(
                1, row("part/a", "say", "changed", name: "court"),
                row("bench", "nothing", "unchanged", name: "court"),
                row("part/a", nil, "unknownEvent", name: "court"),
                row("part/b", nil, "unknownViewModel", 3, name: "court")))
        bus.advance(by: .milliseconds(899))
        client.expectNothing()
        bus.advance(by: .milliseconds(1))
        client.expect(totals(2, 4, 0))
        bus.advance(by: .seconds(10))
        client.expectNothing()
    }

    @Test func `A repeated key is a duplicate`() {
        let line = #"{"op":"send","to":"part/a","event":{"append":{"item":"x"}},"key":"k"}"#
        sender.send(line, line)
        bus.advance(by: .milliseconds(100))
        client.expect(
            sends(1, row("part/a", "append", "changed"), row("part/a", "append", "duplicate")))
        bus.advance(by: .seconds(1))
        client.expect(totals(2, 2, 0))
    }

    /// Sends without an answer, in several turns.
    private func send(_ count: Int) {
        sender.send(bytes: Array(repeatElement("send bench nothing\n", count: count).joined().utf8))
    }

    /// The numbers of rows in the events, and the totals.
    private func counts(_ lines: [String]) -> [Int] {
        lines.map { $0.split(separator: #"{"connection":"#).count - 1 }
    }

    @Test func `A second has a thousand rows at most, and the others are counted`() {
        send(1_500)
        bus.advance(by: .milliseconds(100))
        #expect(counts(client.takeLines()) == Array(repeating: 100, count: 10))
        send(1)
        bus.advance(by: .milliseconds(899))
        client.expectNothing()
        bus.advance(by: .milliseconds(1))
        client.expect(totals(11, 1_000, 501))
        send(1)
        bus.advance(by: .milliseconds(100))
        client.expect(sends(12, row("bench", "nothing", "unchanged")))
        bus.advance(by: .seconds(1))
        client.expect(totals(13, 1_001, 501))
    }

    @Test func `A slow tap misses rows, and its totals stay exact`() {
        client.stall()
        for _ in 0..<3 {
            send(1_500)
            bus.advance(by: .seconds(1))
        }
        client.readOn()
        let lines = client.takeLines()
        #expect(lines.first?.hasPrefix(#"{"gap":"bus/tap""#) == true, "\(lines)")
        #expect(
            lines.dropFirst().first
                == #"{"from":"bus/tap","seq":33,"snapshot":true,"event":"#
                + #"{"totals":{"shown":3000,"others":1500}}}"#)
        #expect(lines.dropFirst(2).first?.hasPrefix(#"{"live":"bus/tap""#) == true)
        #expect(lines.count == 3)
    }

    @Test func `Only the administrator finds it, and no pattern matches it`() {
        let view = bus.connect(throughViewSocket: true)
        for other in [sender, view] {
            other.send("get bus/tap")
            other.expect("…unknownViewModel…")
            other.send("list bus/*", "subscribe **")
        }
        send(1)
        bus.advance(by: .seconds(1))
        for line in sender.takeLines() + view.takeLines() {
            #expect(!line.contains(#""from":"bus/tap""#) && !line.contains(#""address":"bus/tap""#))
        }
        #expect(client.takeLines().count == 2)
    }

    @Test func `Nothing is noted while no client watches`() {
        client.send("unsubscribe bus/tap")
        _ = client.takeLines()
        let readings = bus.stopwatch.readings
        send(3)
        #expect(bus.stopwatch.readings == readings)
        client.send("get bus/tap")
        client.expect("…" + #""events":[{"totals":{"shown":0,"others":0}}]}}"#)
    }
}

@Suite struct `The view model bus/tap of a durable view model` {
    let tallies = TallyFixture { $0.register(BusTapViewModel.self) }
    let client: TestConnection

    init() {
        client = tallies.connect()
        client.join("bus/tap")
        tallies.bus.stopwatch.step = 0
    }

    private func add(_ more: String = "") -> String {
        #"{"op":"send","to":"tally","event":{"add":{"_0":1}}\#(more)}"#
    }

    private func rows(_ outcomes: (String, Int)...) {
        tallies.bus.advance(by: .milliseconds(100))
        let rows = outcomes.map {
            #"{"connection":2,"uid":1,"to":"tally","event":"add","outcome":"\#($0)","#
                + #""microseconds":\#($1)}"#
        }
        client.expect(
            #"{"from":"bus/tap","seq":…,"event":{"sends":{"sends":["#
                + rows.joined(separator: ",") + "]}}}")
    }

    @Test func `The time of a send has the wait for the disk`() {
        let sender = tallies.connect()
        sender.send(add())
        tallies.bus.advance(by: .milliseconds(20))
        client.expectNothing()
        tallies.succeed()
        rows(("changed", 20_000))
        sender.expectNothing()
    }

    @Test func `The time of a send has the wait for the sends before it`() {
        let sender = tallies.connect()
        sender.send(add(), add(#","ifSeq":0"#))
        tallies.bus.advance(by: .milliseconds(5))
        tallies.succeed()
        sender.expect("…stale…")
        rows(("changed", 5_000), ("stale", 5_000))
    }

    @Test func `A send that the log refuses has the code of the error`() {
        let sender = tallies.connect()
        sender.send(add())
        tallies.fail()
        sender.expect("…unavailable…")
        rows(("unavailable", 0))
    }

    @Test func `A send of a client that has gone is shown, and one from before the tap is not`() {
        client.send("unsubscribe bus/tap")
        let sender = tallies.connect()
        sender.send(add())
        client.join("bus/tap")
        sender.send(add())
        sender.disconnect()
        tallies.succeed()
        tallies.succeed()
        rows(("changed", 0))
    }
}
