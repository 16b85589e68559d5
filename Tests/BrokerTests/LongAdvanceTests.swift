import BusdGames
import BusdHosting
import BusdProtocol
import BusdTestKit
import Testing

/// A client moves the clock by hand, past many timers.
@Suite struct `A long advance` {
    private struct Services: HasGames, HasClock, HasWallClock, HasDirectory {
        let games: Library<Game>
        let clock: any Clock
        let wallClock: any WallClock = FixedWallClock()
        let directory: any Directory
    }

    private let bus = TestBus { host in
        let services = Services(games: Library(host.libraries), clock: host.clock, directory: host)
        host.register(GamesViewModel.self, services: services)
        host.register(ScoreboardViewModel.self, services: services)
        host.register(PlaysViewModel.self, services: services)
        host.register(PlayerViewModel.self, services: services)
        host.register(BusClockViewModel.self, services: host.outbox)
    }
    private let client: TestConnection

    init() {
        client = bus.connect()
        let team = #"{"name":"A","players":["a","b","c"]}"#
        client.send(
            #"send games createGame {"home":\#(team),"away":\#(team)}"#,
            #"{"op":"subscribe","to":"scoreboard/1","only":["time"]}"#,
            "send scoreboard/1 togglePause")
        _ = client.takeLines()
    }

    @Test func `A long advance fires 2,000 timers in order, and the rest at its end`() {
        // The clock of the game would fire every tenth of a second, 36,000 times in an hour.
        client.send(#"{"op":"send","to":"bus/clock","event":{"advance":{"by":3600}},"id":1}"#)
        let lines = client.takeLines()
        #expect(lines.last == #"{"ok":{"changed":true},"id":1}"#)
        let events = lines.dropLast()
        // Three of the 2,000 are deadlines of the bus itself. One more event comes at the end.
        #expect(events.count == 1_998)
        #expect(events.first?.hasSuffix(#""event":{"time":{"text":"00:00.1"}}}"#) == true)
        #expect(events.dropLast().last?.hasSuffix(#"{"time":{"text":"03:19.7"}}}"#) == true)
        #expect(events.last?.hasSuffix(#"{"time":{"text":"60:00.0"}}}"#) == true)
    }

    @Test func `After a long advance, timers fire one by one again`() {
        client.send(
            #"send bus/clock advance {"by":3600}"#, #"send bus/clock advance {"by":0.2}"#)
        let texts = client.takeLines().suffix(2).map { $0.suffix(20) }
        let expected = ["60:00.1", "60:00.2"].map { #"{"text":"\#($0)"}}}"#.suffix(20) }
        #expect(texts == expected)
    }
}
