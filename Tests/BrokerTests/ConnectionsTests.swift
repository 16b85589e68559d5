import BusdBroker
import BusdHosting
import BusdProtocol
import Testing

@testable import BusdTestKit

@Suite struct `The view model bus/connections` {
    let bus = TestBus.lab("a") { $0.register(BusConnectionsViewModel.self) }
    let client: TestConnection

    init() { client = bus.connect() }

    /// A row of a connection of the tests. `counts` is from `sends` to `missed`.
    private func row(_ connection: Int, _ counts: [Int], _ share: String) -> String {
        let names = ["sends", "received", "written", "backlog", "oldest", "missed"]
        let members = zip(names, counts).map { #""\#($0)":\#($1),"# }.joined()
        return #"{"connection":\#(connection),"access":"control","pid":1,"uid":1,"#
            + members + #""share":\#(share)}"#
    }

    private func value(_ milliseconds: Int, _ rows: [String], _ rest: String = "") -> String {
        #"{"connections":{"milliseconds":\#(milliseconds),"connections":["#
            + rows.joined(separator: ",") + "]\(rest)}}"
    }

    private func report(_ seq: Int, _ milliseconds: Int, _ rows: String...) -> String {
        #"{"from":"bus/connections","seq":\#(seq),"event":\#(value(milliseconds, rows))}"#
    }

    private let nothing = [0, 0, 0, 0, 0, 0]

    @Test func `The first report is empty, and then busy connections come first`() {
        client.send("subscribe bus/connections")
        client.expect(
            #"{"ok":{"to":"bus/connections","matched":["bus/connections"],"resumed":false}}"#,
            #"{"from":"bus/connections","seq":0,"snapshot":true,"event":"#
                + value(0, [row(2, nothing, "0.0")]) + "}",
            #"{"live":"bus/connections","cursor":"…:0","done":"…"}"#)
        let (idle, busy) = (bus.connect(), bus.connect())
        bus.stopwatch.step = 1_000
        busy.send("send part/a say {}", "send bench nothing", "ping")
        busy.expect("…badEvent…", #"{"ok":{}}"#)
        idle.expectNothing()
        let before = client.takeLines()
        #expect(before == [])
        bus.stopwatch.step = 0
        bus.advance(by: .seconds(1))
        let lines = client.takeLines()
        #expect(lines.count == 1)
        let rows = (lines.first ?? "").split(separator: #"{"connection":"#).dropFirst()
        #expect(rows.map { String($0.prefix(1)) } == ["4", "2", "3"])
        #expect(
            rows.first?.contains(#""sends":2,"received":43,"written":"#) == true,
            "\(lines)")
        #expect(rows.last?.contains(#""sends":0,"received":0,"written":0,"#) == true)
    }

    @Test func `The share is the time that the loop works for a connection`() {
        client.join("bus/connections")
        bus.stopwatch.step = 0
        bus.advance(by: .seconds(1))
        _ = client.takeLines()
        let busy = bus.connect()
        // A visit and a write have two readings each, and the span has two.
        bus.stopwatch.step = 100_000
        busy.send("send bench nothing")
        bus.stopwatch.step = 0
        bus.advance(by: .milliseconds(800))
        client.expect()
        bus.advance(by: .milliseconds(200))
        client.expect(
            report(
                2, 1_200, row(3, [1, 19, 0, 0, 0, 0], "8.3"),
                row(2, [0, 0, 232, 0, 0, 0], "0.0")))
    }

    @Test func `A report comes once per second while a client watches, and counts anew`() {
        client.join("bus/connections")
        bus.stopwatch.step = 0
        let other = bus.connect()
        other.send("send bench nothing")
        bus.advance(by: .milliseconds(999))
        client.expectNothing()
        bus.advance(by: .milliseconds(1))
        #expect(client.takeLines().first?.contains(#""sends":1,"received":19,"#) == true)
        bus.advance(by: .seconds(1))
        client.expect("…" + #""sends":0,"received":0,"# + "…" + #""sends":0,"# + "…")
        client.send("unsubscribe bus/connections")
        bus.advance(by: .seconds(10))
        client.expectNothing()
    }

    @Test func `Nothing is measured while no client watches`() {
        let other = bus.connect()
        other.send("send bench nothing")
        #expect(bus.stopwatch.readings == 0)
        client.join("bus/connections")
        client.send("unsubscribe bus/connections")
        _ = client.takeLines()
        let readings = bus.stopwatch.readings
        other.send("send bench nothing", "ping")
        other.expect(#"{"ok":{}}"#)
        #expect(bus.stopwatch.readings == readings)
        bus.stopwatch.step = 0
        client.send("get bus/connections")
        client.expect("…" + value(0, [row(2, nothing, "0.0"), row(3, nothing, "0.0")]) + "]}}")
    }

    @Test func `A row has what waits for a slow client, and what it has missed`() {
        bus.stopwatch.step = 0
        let slow = bus.connect()
        slow.join("part/a")
        slow.stall()
        client.tell("a", times: 1)
        bus.advance(by: .milliseconds(1_500))
        client.send("get bus/connections")
        let text = client.takeLines().first ?? ""
        #expect(text.contains(#""backlog":57,"oldest":1500,"missed":0"#), "\(text)")
        bus.advance(by: .milliseconds(500))
        slow.readOn()
        _ = slow.takeLines()
        client.send("get bus/connections")
        #expect(client.takeLines().first?.contains(#""backlog":0,"oldest":0,"missed":1"#) == true)
    }

    @Test func `Two hundred connections have a row, and the others are counted`() {
        let others = (0..<200).map { _ in bus.connect() }
        client.send("get bus/connections")
        let text = client.takeLines().first ?? ""
        let rows = text.split(separator: #"{"connection":"#).dropFirst()
        #expect(rows.count == 200)
        #expect(rows.last?.hasPrefix("201,") == true)
        #expect(text.hasSuffix(#"],"omitted":1}}]}}"#))
        others.last?.disconnect()
        client.send("get bus/connections")
        #expect(client.takeLines().first?.contains("omitted") == false)
    }

    @Test func `A client of the view socket may watch it, and a closed connection has no row`() {
        let view = bus.connect(throughViewSocket: true, user: 7)
        view.send("get bus/connections")
        #expect(view.takeLines().first?.contains(#""access":"view","pid":1,"uid":7,"#) == true)
        client.join("bus/connections")
        bus.stopwatch.step = 0
        view.disconnect()
        let next = bus.connect()
        bus.advance(by: .seconds(1))
        let text = client.takeLines().first ?? ""
        #expect(text.contains(row(4, nothing, "0.0")), "\(text)")
        #expect(!text.contains(#""uid":7"#))
        next.expectNothing()
    }
}
