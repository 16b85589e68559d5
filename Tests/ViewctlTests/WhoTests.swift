import BusdOptions
import BusdProtocol
import BusdScreens
import Testing

@testable import viewctl

@Suite struct WhoTests {
    private func who() throws -> Who { try Who(arguments("--host", "h", "who")) }

    private func row(_ connection: Int, since: Int?) -> BusViews.Row {
        BusViews.Row(
            connection: connection, name: "a\u{1B}[2J", as: "player", to: "scoreboard/1/home/1",
            access: "control", pid: 512, uid: 1_000, missed: 0, since: since)
    }

    @Test func `SINCE has the time, and the date of another day`() throws {
        let now = 1_790_000_000
        let yesterday = now - 86_400
        let table = try who().table(
            [row(3, since: now), row(4, since: yesterday), row(5, since: nil)],
            at: LocalTime(seconds: now))
        let (time, date) = (LocalTime(seconds: now).time, LocalTime(seconds: yesterday))
        let name = #"a\u{1B}[2J"#
        #expect(
            table.lines(plain) == [
                "USER  CLIENT      PID  SINCE             VIEW    WATCHES",
                "1000  \(name)  512  \(time)             player  scoreboard/1/home/1",
                "1000  \(name)  512  \(date.day) \(date.time)  player  scoreboard/1/home/1",
                "1000  \(name)  512                    player  scoreboard/1/home/1",
            ])
    }

    @Test func `JSON has the seconds, and a row of an older daemon none`() throws {
        let pipes = try OutputFixture()
        let rest = #""to":"echo/a","access":"view","pid":5,"uid":1000,"missed":0"#
        let value = try json(
            #"{"events":[{"views":{"views":[{"connection":3,\#(rest)},"#
                + #"{"connection":4,\#(rest),"since":1790000000}]}}]}"#)
        try who().show(Answer(value: value, delay: .zero), .json, pipes.console)
        _ = pipes.console.finish(.done)
        let shown = #""to":"echo/a","access":"view","pid":5,"missed":0"#
        #expect(
            pipes.takeOutput() == [
                #"{"user":"1000","uid":1000,"connection":3,\#(shown)}"#,
                #"{"user":"1000","uid":1000,"connection":4,\#(shown),"since":1790000000}"#,
            ])
        #expect(pipes.takeErrors() == [])
    }
}
