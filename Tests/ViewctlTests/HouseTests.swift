import BusdClientTestSupport
import BusdOptions
import BusdProtocol
import BusdScreens
import BusdTerminal
import Testing

@testable import viewctl

@Suite struct HouseTests {
    private func house(_ state: String = "following", behind: [Int] = [0, 61_900]) -> HouseState {
        HouseState(
            .house(
                name: "league", daemon: "d0", position: 41, state: state,
                daemons: behind.enumerated().map { number, behind in
                    BusHouse.Row(
                        name: "d\(number)", version: "1.0", position: 41, behind: behind, since: 0)
                }))
    }

    private func text(_ columns: Int, _ rows: Int, _ house: HouseState?) -> String {
        var frame = Frame(Size(columns: columns, rows: rows))
        HousePicture(house: house, isLive: true).draw(on: &frame, in: frame.area)
        return frame.text
    }

    @Test func `The table has a row for each daemon and marks the daemon of the connection`() {
        #expect(
            house().lines(plain) == [
                "league: following", "  DAEMON  VERSION  POSITION  SEEN",
                "* d0      1.0            41  now", "  d1      1.0            41  61 s ago",
            ])
    }

    @Test func `The picture breaks a long state and counts the daemons that have no room`() {
        #expect(
            text(40, 8, house("the log has another identity: see docs/several-machines.md"))
                == """
                league: the log has another identity:
                see docs/several-machines.md

                  DAEMON  VERSION  POSITION  SEEN
                * d0      1.0            41  now
                  d1      1.0            41  61 s ago

                """)
        #expect(
            text(40, 5, house(behind: [0, 0, 0]))
                == """
                league: following

                  DAEMON  VERSION  POSITION  SEEN
                * d0      1.0            41  now
                  and 2 more

                """)
    }

    @Test func `The picture says that it waits for the daemon`() {
        #expect(text(30, 3, nil).contains("Waiting for the daemon…"))
    }

    @Test(arguments: 0...8) func `A small area cuts the picture`(rows: Int) {
        let lines = text(3, rows, house()).split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count <= rows + 1)
    }

    @Test func `A silent daemon and an outdated table have styles of their own`() {
        func style(isLive: Bool, row: Int) -> Style? {
            var frame = Frame(Size(columns: 40, rows: 6))
            HousePicture(house: house(), isLive: isLive).draw(on: &frame, in: frame.area)
            return frame.style(at: Point(column: 2, row: row))
        }
        #expect(style(isLive: true, row: 3) == .plain)
        #expect(style(isLive: true, row: 4) == Style(.notice))
        #expect(style(isLive: false, row: 3) == .dim)
    }

    @Test func `A daemon without a house is explained`() throws {
        let pipes = try OutputFixture()
        func errors(_ code: String) throws -> [String] {
            let daemon = ScriptedDaemon(
                .init(lines: [#"{"error":{"code":"\#(code)","message":"x"},"id":1}"#]))
            let session = try daemon.session()
            let status = pipes.console.status {
                try HouseTable(arguments("house")).printOnce(session, .json, pipes.console)
            }
            #expect(status == .refused)
            return pipes.takeErrors()
        }
        #expect(try errors("unknownViewModel") == ["viewctl: \(HouseTable.noHouse)"])
        #expect(try errors("internal") == ["viewctl: x (internal)"])
    }
}
