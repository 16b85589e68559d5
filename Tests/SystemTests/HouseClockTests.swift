import Glibc
import TestSupport
import Testing

/// Clocks of a house, and what a daemon pauses that starts alone.
struct HouseClockTests {
    private let house: HouseFixture

    init() throws { house = try HouseFixture() }

    /// A change of `off` looks to all daemons like a step of Redis' clock.
    private func step(_ microseconds: Int) throws {
        try house.run(["HINCRBY", "busd:league:head", "off", "\(microseconds)"])
    }

    private func offset() throws -> Int {
        try #require(Int(try house.run(["HGET", "busd:league:head", "off"]).dropLast()))
    }

    /// Seconds that the clock of the game shows.
    private func clock(_ bus: BusFixture) throws -> Double {
        let answer = try #require(try bus.connect().ask("get scoreboard/1"))
        let time = try #require(try /"time":\{"text":"(\d+):(\d+\.\d)"/.firstMatch(in: answer))
        return try 60 * #require(Double(time.1)) + #require(Double(time.2))
    }

    private var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    private let toggle = #"{"op":"send","to":"scoreboard/1","event":"togglePause","id":1}"#

    @Test(arguments: [1, 2], [3_600_000_000, -3_600_000_000, 400_000_000_000])
    func `A step of Redis' clock costs a running game less than a second`(
        members: Int, microseconds: Int
    ) throws {
        let buses = try (0..<members).map { try house.serve($0) }
        let bus = buses[0]
        // A daemon that starts during the step knows only the new time.
        try eventually("\(members) members") {
            try house.run(["HLEN", "busd:league:rows"])
        } is: {
            $0 == "\(members)\n"
        }
        try house.send(house.createGame, bus)
        try house.send(toggle, bus)
        let began = now
        try step(microseconds)
        try house.send(house.move, bus)
        try eventually("the right time", offset) { abs($0) <= 1_000_000 }
        try house.send(house.move, bus)
        let beforeEnd = now
        try house.send(toggle, bus)
        let shown = try clock(bus)
        #expect(shown > beforeEnd - began - 1 && shown < now - began + 1.2)
        for bus in buses { try house.expectScore("4 - 0", bus) }
    }

    @Test func `A game that is resumed at once after a lone start is not paused`() throws {
        let bus = try house.serve(0)
        try house.send(house.createGame, bus)
        #expect(try bus.stop().status == 0)
        let again = try house.serve(0)
        try house.send(toggle, again)
        // A daemon pauses games after it was alone for two seconds.
        try eventually("2.5 seconds", { try clock(again) }) { $0 >= 2.5 }
    }

    /// Redis' clock is a day ahead while the daemon runs, and right again at the next start.
    @Test func `A game goes on at once if Redis' clock was set back while no daemon ran`() throws {
        #expect(try house.serve(0).stop().status == 0)
        try step(86_400_000_000)
        let ahead = try house.serve(0)
        try house.send(house.createGame, ahead)
        #expect(try ahead.stop().status == 0)
        try step(-86_400_000_000)
        let bus = try house.serve(0)
        try house.send(toggle, bus)
        let began = now
        // A daemon pauses games after it was alone for two seconds.
        try eventually("2.5 seconds", { try clock(bus) }) { $0 >= 2.5 }
        #expect(try clock(bus) < now - began + 1.2)
    }

    @Test func `A game that ran when all daemons were killed is paused as of then`() throws {
        let bus = try house.serve(0)
        try house.send(house.createGame, bus)
        let began = now
        try house.send(toggle, bus)
        try eventually("a second", { try clock(bus) }) { $0 >= 1 }
        bus.daemon.signal(SIGKILL)
        _ = try bus.daemon.outcome()
        let ended = now
        let again = try house.serve(0)
        try again.connect().await(#""paused"#, inAnswerTo: "get scoreboard/1")
        let shown = try clock(again)
        #expect(shown >= 0 && shown <= ended - began + 1.2)
    }
}
