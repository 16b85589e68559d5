import BusdClient
import BusdProtocol
import BusdScreens
import BusdTerminal
import Testing

@testable import viewctl

@Suite struct TopTests {
    private func users() throws -> UserNames {
        UserNames(try Viewctl.settings(arguments("--host", "h", "who")))
    }

    private func event(_ rows: BusConnections.Row..., omitted: Int? = nil)
        -> BusConnections.ViewModelEvent
    {
        .connections(milliseconds: 1_000, connections: rows, omitted: omitted)
    }

    private let busy = BusConnections.Row(
        connection: 3, name: "a\u{1B}[2J", access: "control", pid: 512, uid: 1_000, sends: 9_999,
        received: 10_000, written: 12_345_678, backlog: 4_096, oldest: 250, missed: 2, share: 7.5)
    private let idle = BusConnections.Row(
        connection: 4, name: nil, access: "view", pid: 7, uid: 0, sends: 0, received: 0,
        written: 0, backlog: 0, oldest: 0, missed: 0, share: 0)

    @Test func `The table has short numbers and harmless names`() throws {
        let table = ConnectionsTable(event(busy, idle, omitted: 7), try users())
        #expect(
            table.lines(plain) == [
                "9 connections, 7 of them left out",
                "PID  USER  SENDS   IN  OUT  BACKLOG  OLDEST  MISSED  LOOP  CLIENT",
                #"512  1000   9999  10k  12M     4096  250 ms       2  7.5%  a\u{1B}[2J"#,
                "  7  0         0    0    0        0               0  0.0%  ",
            ])
        #expect(
            ConnectionsTable(event(idle), try users()).lines(plain).first == "1 connection")
    }

    @Test func `JSON has the exact numbers and the name of the user`() throws {
        let table = ConnectionsTable(event(busy), try users())
        #expect(
            String(decoding: table.json, as: UTF8.self)
                == #"{"milliseconds":1000,"connections":[{"user":"1000","uid":1000,"#
                + #""connection":3,"name":"a\u001b[2J","access":"control","pid":512,"#
                + #""sends":9999,"received":10000,"written":12345678,"backlog":4096,"#
                + #""oldest":250,"missed":2,"share":7.5}],"omitted":0}"#)
    }

    @Test func `The picture counts rows without room together with the omitted ones`() {
        var frame = Frame(Size(columns: 20, rows: 5))
        TablePicture(
            title: "3 rows", titleStyle: .bold, head: "HEAD",
            rows: [("one", .plain), ("two", .plain)], omitted: 1, isLive: true
        ).draw(on: &frame, in: frame.area)
        #expect(frame.text == "3 rows\n\nHEAD\none\n  and 2 more\n")
    }
}

@Suite struct TapTextTests {
    private func text() throws -> TapText {
        TapText(UserNames(try Viewctl.settings(arguments("--host", "h", "who"))))
    }

    private func row(_ name: String?, _ to: String, _ event: String?, _ outcome: String)
        -> BusTap.Row
    {
        BusTap.Row(
            connection: 3, name: name, uid: 1_000, to: to, event: event, outcome: outcome,
            microseconds: 85)
    }

    private func lines(_ text: inout TapText, _ event: BusTap.ViewModelEvent) -> [String] {
        text.lines(event, at: 0, plain).map { String($0.dropFirst(8)) }
    }

    @Test func `A line has the columns of the sends so far, and harmless names`() throws {
        var text = try text()
        let sends = [
            row("court\u{7}", "scoreboard/1", "pause", "changed"),
            row(nil, "echo/a", nil, "unknownEvent"),
        ]
        #expect(
            lines(&text, .sends(sends: sends)) == [
                #"  1000  court\u{07}  scoreboard/1  pause  changed  85 us"#,
                "  1000  -            echo/a        -      unknownEvent  85 us",
            ])
    }

    @Test func `Sends without a line are counted, also the missed ones`() throws {
        var text = try text()
        #expect(lines(&text, .totals(shown: 40, others: 2)) == [])
        #expect(lines(&text, .sends(sends: [row(nil, "a", "b", "changed")])).count == 1)
        #expect(lines(&text, .totals(shown: 41, others: 502)) == ["  and 500 more"])
        #expect(lines(&text, .totals(shown: 50, others: 502)) == ["  and 9 more"])
        #expect(lines(&text, .totals(shown: 50, others: 502)) == [])
        text.restart()
        #expect(lines(&text, .totals(shown: 900, others: 900)) == [])
    }

    @Test func `JSON has an object for each send, and one for the others`() throws {
        var text = try text()
        let sends = BusTap.ViewModelEvent.sends(sends: [row("n", "a", "b", "changed")])
        #expect(text.json(.totals(shown: 0, others: 0)) == [])
        #expect(
            text.json(sends).map { String(decoding: $0, as: UTF8.self) } == [
                #"{"user":"1000","uid":1000,"connection":3,"name":"n","to":"a","event":"b","#
                    + #""outcome":"changed","microseconds":85}"#
            ])
        #expect(
            text.json(.totals(shown: 1, others: 3)).map { String(decoding: $0, as: UTF8.self) }
                == [#"{"others":3}"#])
    }
}
