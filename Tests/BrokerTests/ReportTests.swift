import BusdBroker
import BusdHosting
import BusdProtocol
import Testing

@testable import BusdTestKit

private final class FixedVitals: HasProcessMetrics, HasClock {
    let memory = 1_000
    let loopLagMilliseconds = 0.5
    let clock: any Clock

    init(_ clock: any Clock) { self.clock = clock }
}

@Suite struct `The view model bus/views` {
    let bus = TestBus.lab("a")
    let client: TestConnection

    init() { client = bus.connect() }

    private func row(
        _ connection: Int, _ to: String, missed: Int = 0, since: Int = 1_767_225_600
    ) -> String {
        #"{"connection":\#(connection),"to":"\#(to)","access":"control","pid":1,"uid":1,"#
            + #""missed":\#(missed),"since":\#(since)}"#
    }

    private func views(_ seq: Int, _ rows: String...) -> String {
        #"{"from":"bus/views","seq":\#(seq),"event":{"views":{"views":"#
            + #"[\#(rows.joined(separator: ","))]}}}"#
    }

    /// The last sent list is reused: thousands of new views would each need a new, long encoding.
    @Test func `A new view gets the last sent list of views, and then the change`() {
        bus.bus.keepSnapshots(from: 0)
        client.send("subscribe bus/views", "get bus/views")
        _ = client.takeLines()
        let other = bus.connect()
        other.send("subscribe part/a", "get bus/views")
        #expect(other.takeLines().last?.contains("part/a") == false)
        bus.advance(by: .milliseconds(100))
        client.expect(views(1, row(2, "bus/views"), row(3, "part/a")))
        other.send("get bus/views")
        #expect(other.takeLines().last?.contains("part/a") == true)
    }

    @Test func `The list of views has each subscription, also of the asking client`() {
        let view = bus.connect(throughViewSocket: true)
        view.send(#"{"op":"hello","protocol":1,"name":"courtside"}"#, "subscribe part/a container")
        _ = view.takeLines()
        client.send("subscribe bus/views", "get bus/views")
        let rows =
            #"{"views":{"views":["# + row(2, "bus/views") + ","
            + #"{"connection":3,"name":"courtside","as":"container","to":"part/a","access":"#
            + #""view","pid":1,"uid":1,"missed":0,"since":1767225600}]}}"#
        client.expect(
            #"{"ok":{"to":"bus/views","matched":["bus/views"],"resumed":false}}"#,
            #"{"from":"bus/views","seq":0,"snapshot":true,"event":\#(rows)}"#,
            #"{"live":"bus/views","cursor":"…:0","done":"…"}"#,
            #"{"ok":{"address":"bus/views","cursor":"…:0","done":"…","events":[\#(rows)]}}"#)
    }

    @Test func `A row says since when, and a repeated subscription keeps its time`() {
        client.join("part/a")
        bus.wallClock.now = UTCTime(seconds: 1_767_225_660)
        client.join("part/a")
        client.join("part/*")
        client.send("get bus/views")
        client.expect(
            "…[" + row(2, "part/a") + "," + row(2, "part/*", since: 1_767_225_660) + "]}}]}}")
        client.send("unsubscribe part/a")
        client.join("part/a")
        _ = client.takeLines()
        client.send("get bus/views")
        let since = 1_767_225_660
        client.expect(
            "…[" + row(2, "part/*", since: since) + "," + row(2, "part/a", since: since)
                + "]}}]}}")
    }

    @Test func `Changes of views are gathered for a tenth of a second`() {
        client.join("bus/views")
        let other = bus.connect()
        other.join("part/a")
        other.join("part/*")
        bus.advance(by: .milliseconds(99))
        client.expectNothing()
        bus.advance(by: .milliseconds(1))
        client.expect(views(1, row(2, "bus/views"), row(3, "part/a"), row(3, "part/*")))
        other.send("unsubscribe part/a")
        bus.advance(by: .milliseconds(100))
        client.expect(views(2, row(2, "bus/views"), row(3, "part/*")))
        other.disconnect()
        bus.advance(by: .milliseconds(100))
        client.expect(views(3, row(2, "bus/views")))
    }

    /// Subscribes to the list, and waits for its first change. Returns another client without a
    /// subscription.
    private func watchUntilToldOnce() -> TestConnection {
        client.join("bus/views")
        let other = bus.connect()
        other.join("nothing/*")
        other.send("unsubscribe nothing/*")
        bus.advance(by: .seconds(1))
        client.expect(views(1, row(2, "bus/views")))
        return other
    }

    @Test func `A change of views that is undone within the delay is not sent`() {
        let other = watchUntilToldOnce()
        other.join("part/a")
        other.send("unsubscribe part/a")
        bus.advance(by: .seconds(1))
        client.expectNothing()
    }

    @Test func `A change of views is sent if a snapshot has shown the undone state`() {
        let other = watchUntilToldOnce()
        other.join("part/a")
        client.send("subscribe bus/views")
        client.expect("{\"ok\":…", "…part/a…", "{\"live\":…")
        other.send("unsubscribe part/a")
        bus.advance(by: .seconds(1))
        client.expect(views(2, row(2, "bus/views")))
    }

    @Test func `A later name and the end of a view model change the list of views`() {
        client.join("bus/views")
        let other = bus.connect()
        other.join("part/a")
        bus.advance(by: .seconds(1))
        _ = client.takeLines()
        other.send(#"{"op":"hello","protocol":1,"name":"n"}"#)
        _ = other.takeLines()
        bus.advance(by: .seconds(1))
        client.expect(
            views(
                2, row(2, "bus/views"),
                row(3, "part/a").replacing(#""to""#, with: #""name":"n","to""#)))
        other.send(#"send bench remove {"part":"a"}"#)
        _ = other.takeLines()
        bus.advance(by: .seconds(1))
        client.expect(views(3, row(2, "bus/views")))
    }

    @Test func `A list of too many views omits rows and counts them`() {
        let name = String(repeating: "\\u0001", count: 200)
        for _ in 0..<5 {
            let view = bus.connect()
            for number in 0..<256 {
                view.send(#"{"op":"subscribe","to":"x\#(number)/*","as":"\#(name)"}"#)
            }
            _ = view.takeLines()
        }
        client.send("get bus/views")
        let line = client.takeLines().first ?? ""
        let rows = line.split(separator: #""connection":"#).count - 1
        #expect(line.utf8.count < 1 << 19)
        #expect(line.utf8.count > 500_000)
        #expect(line.hasSuffix(#"],"omitted":\#(1_280 - rows)}}]}}"#))
    }

    @Test func `The list of views counts the missed events of each connection`() {
        let slow = bus.connect()
        slow.join("part/a")
        slow.stall()
        client.tell("a", times: 3)
        bus.advance(by: .seconds(2))
        slow.readOn()
        _ = slow.takeLines()
        client.send("get bus/views")
        client.expect(
            #"{"ok":{…"events":[{"views":{"views":[\#(row(3, "part/a", missed: 3))]}}]}}"#)
    }
}

@Suite struct `The view model bus/statistics` {
    let bus = TestBus.lab("a") { host in
        host.register(BusStatisticsViewModel.self, services: FixedVitals(host.clock))
    }
    let client: TestConnection

    init() { client = bus.connect() }

    private func line(_ start: String, _ rates: String, gaps: Int = 0, connections: Int = 1)
        -> String
    {
        #"{"from":"bus/statistics",\#(start)"event":{"statistics":"#
            + #"{"connections":\#(connections),"viewModels":4,"#
            + #"\#(rates),"gaps":\#(gaps),"memory":1000,"loopLagMilliseconds":0.5}}}"#
    }

    @Test func `Statistics are made when a client asks for them`() {
        client.send("get bus/statistics")
        client.expect(
            #"{"ok":{"address":"bus/statistics","cursor":"…:0","done":"…","events":[{"statistics":"#
                + #"{"connections":1,"#
                + #""viewModels":4,"eventsPerSecond":0.0,"deliveriesPerSecond":0.0,"gaps":0,"#
                + #""memory":1000,"#
                + #""loopLagMilliseconds":0.5}}]}}"#)
    }

    @Test func `Statistics are sent once a second while a client is subscribed`() {
        bus.advance(by: .seconds(10))
        client.send("subscribe bus/statistics")
        let none = #""eventsPerSecond":0.1,"deliveriesPerSecond":0.0"#
        client.expect(
            "{\"ok\":…", line(#""seq":0,"snapshot":true,"#, none),
            #"{"live":"bus/statistics","cursor":"…:0","done":"…"}"#)
        let other = bus.connect()
        other.join("part/a")
        other.tell("a", times: 5)
        _ = other.takeLines()
        bus.advance(by: .milliseconds(999))
        client.expectNothing()
        bus.advance(by: .milliseconds(1))
        let busy = #""eventsPerSecond":5.0,"deliveriesPerSecond":5.0"#
        client.expect(line(#""seq":1,"#, busy, connections: 2))
        bus.advance(by: .seconds(1))
        client.expect(
            line(#""seq":2,"#, #""eventsPerSecond":1.0,"deliveriesPerSecond":1.0"#, connections: 2))
        client.send("unsubscribe bus/statistics")
        bus.advance(by: .seconds(10))
        client.expectNothing()
    }
}

@Suite struct `The view model bus/clock` {
    let bus = TestBus.lab("a", hasManualClock: true)
    let client: TestConnection

    init() { client = bus.connect() }

    @Test func `An advance fires due timers in order before its answer`() {
        client.join("part/a")
        client.send(
            #"send part/a later {"seconds":2,"text":"two"}"#,
            #"send part/a later {"seconds":1,"text":"one"}"#,
            #"{"op":"send","to":"bus/clock","event":{"advance":{"by":1.5}},"id":1}"#)
        client.expect(
            #"{"from":"part/a","seq":1,…"event":{"said":{"text":"one"}}}"#,
            #"{"ok":{"changed":true},"id":1}"#)
        client.send(#"send bus/clock advance {"by":0.499999}"#)
        client.expectNothing()
        client.send(#"send bus/clock advance {"by":0.000001}"#)
        client.expect(#"{"from":"part/a","seq":2,"event":{"said":{"text":"two"}}}"#)
    }

    @Test func `An advance also fires the deadlines of the bus`() {
        let half = bus.connect()
        half.join("part/a")
        half.endInput()
        client.send(#"send bus/clock advance {"by":45}"#)
        half.expect(#"{"ping":1}"#, #"{"ping":1}"#, #"{"ping":1}"#)
    }

    @Test(arguments: ["-1", "86400.5", "1e9", "\"1\""])
    func `An advance takes 0 to 86400 seconds`(by: String) {
        client.send(
            #"send bus/clock advance {"by":\#(by)}"#, #"send bus/clock advance {"by":86400}"#)
        client.expect(#"{"error":{"code":"badEvent","message":"…","path":"event.advance.by"}}"#)
    }

    @Test func `The clock has an empty snapshot`() {
        client.send("get bus/clock")
        client.expect(#"{"ok":{"address":"bus/clock","cursor":"…:0","done":"…","events":[]}}"#)
    }
}
