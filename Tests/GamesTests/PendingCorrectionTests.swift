import BusdGames
import BusdHosting
import BusdProtocol
import BusdTestKit
import Testing

/// Two clients correct the same, and the log has neither correction yet.
@Suite struct `Two corrections that wait for the log` {
    private struct Services: HasGames, HasClock, HasWallClock, HasDirectory {
        let games: Library<Game>
        let clock: any Clock
        let wallClock: any WallClock = FixedWallClock()
        let directory: any Directory
    }

    private let log = TestLog()
    private let bus: TestBus

    init() {
        bus = TestBus(log: log) { host in
            let services = Services(
                games: Library(host.libraries), clock: host.clock, directory: host)
            host.register(GamesViewModel.self, services: services)
            host.register(ScoreboardViewModel.self, services: services)
            host.register(PlayerViewModel.self, services: services)
            host.register(PlaysViewModel.self, services: services)
        }
        log.isFast = true
        let keeper = bus.connect()
        keeper.send(
            #"send games createGame {"home":{"name":"H","players":["A"]},"away":{"name":"J","players":["D"]}}"#,
            "send scoreboard/1/home/1 onePointMove", "send scoreboard/1/home/1 foulMove",
            "send scoreboard/1 undo")
        bus.logReported()
        _ = keeper.takeLines()
        log.isFast = false
    }

    private func succeed() {
        for _ in 0..<9 {
            log.succeed()
            bus.logReported()
        }
    }

    private static let play = #""play":{"id":"1","side":"home","index":0,"move":"onePoint"}"#

    static let corrections: [(address: String, first: String, second: String)] = [
        ("scoreboard/1", #"undo {"moves":1}"#, #"undo {"moves":1}"#),
        ("scoreboard/1", #"redo {"moves":1}"#, #"redo {"moves":1}"#),
        ("scoreboard/1", #"undo {"moves":1}"#, #"redo {"moves":1}"#),
        (
            "scoreboard/1", #"renameTeam {"side":"home","name":"X","was":"H"}"#,
            #"renameTeam {"side":"home","name":"Y","was":"H"}"#
        ),
        (
            "scoreboard/1", #"renamePlayer {"side":"away","index":0,"name":"X","was":"D"}"#,
            #"renamePlayer {"side":"away","index":0,"name":"Y","was":"D"}"#
        ),
        (
            "scoreboard/1", #"setClock {"time":"01:00","setting":0}"#,
            #"setClock {"time":"02:00","setting":0}"#
        ),
        (
            "scoreboard/1", #"moveClock {"seconds":5,"setting":0}"#,
            #"moveClock {"seconds":6,"setting":0}"#
        ),
        ("scoreboard/1/plays", "takeOut {\(play)}", "takeOut {\(play)}"),
        (
            "scoreboard/1/plays", #"change {\#(play),"side":"away","index":0,"move":"foul"}"#,
            #"change {\#(play),"side":"home","index":0,"move":"foul"}"#
        ),
    ]

    @Test(arguments: corrections)
    func `The second is stale`(address: String, first: String, second: String) {
        let (ann, bo) = (bus.connect(), bus.connect())
        ann.send("send \(address) \(first)")
        bo.send("send \(address) \(second)")
        succeed()
        ann.expectNothing()
        bo.expect(#"{"error":{"code":"stale",…}}"#)
    }

    @Test func `A correction of a game that is deleted first is stale`() {
        let (ann, bo) = (bus.connect(), bus.connect())
        ann.send(#"send games deleteGame {"game":"1"}"#)
        bo.send(#"send scoreboard/1 undo {"moves":1}"#)
        succeed()
        ann.expectNothing()
        bo.expect(#"{"error":{"code":"stale",…}}"#)
    }

    @Test func `The key of a stale correction is free again`() {
        let (ann, bo) = (bus.connect(), bus.connect())
        let (ofAnn, ofBo) = (
            #"{"op":"send","to":"scoreboard/1","event":{"undo":{"moves":1}},"id":1}"#,
            #"{"op":"send","to":"scoreboard/1","event":{"redo":{"moves":1}},"key":"k","id":2}"#
        )
        ann.send(ofAnn)
        bo.send(ofBo)
        succeed()
        ann.expect(#"{"ok":{"seq":…,"changed":true},"id":1}"#)
        bo.expect(#"{"error":{"code":"stale",…},"id":2}"#)
        bo.send(#"{"op":"send","to":"scoreboard/1","event":{"redo":{"moves":0}},"key":"k","id":3}"#)
        succeed()
        bo.expect(#"{"ok":{"seq":…,"changed":true},"id":3}"#)
    }
}
