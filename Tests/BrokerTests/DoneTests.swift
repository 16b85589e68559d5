import BusdBroker
import BusdGames
import BusdHosting
import BusdProtocol
import BusdTestKit
import Testing

/// `done` counts the changes of a thing. `changed` and `made` report the effect of a send.
@Suite struct `The effect of a send` {
    private struct Services: HasGames, HasClock, HasWallClock, HasDirectory, HasDrafts {
        let games: Library<Game>
        let clock: any Clock
        let wallClock: any WallClock = FixedWallClock()
        let directory: any Directory
        let drafts = DraftSpace()
    }

    private let bus = TestBus { host in
        let services = Services(
            games: Library(host.libraries), clock: host.clock, directory: host)
        host.register(GamesViewModel.self, services: services)
        host.register(GameCreatorViewModel.self, services: services)
        host.register(ScoreboardViewModel.self, services: services)
        host.register(PlaysViewModel.self, services: services)
        host.register(PlayerViewModel.self, services: services)
    }
    private let client: TestConnection
    private let team = #"{"name":"Hawks","players":["Ann","Bo","Cy"]}"#

    init() {
        client = bus.connect()
        client.send(#"send games createGame {"home":\#(team),"away":\#(team)}"#)
    }

    private func send(_ event: String, to address: String, _ members: String = "") {
        client.send(
            #"{"op":"send","to":"\#(address)","event":\#(event)\#(members),"id":1}"#)
    }

    /// The current `done` of an address.
    private func done(_ address: String) throws -> Cursor {
        let other = bus.connect()
        other.send("get \(address)")
        let parts = try #require(other.takeLines().first).split(separator: "\"")
        let key = try #require(parts.firstIndex(of: "done"))
        return try #require(Cursor(String(parts[key + 2])))
    }

    @Test func `A send that creates a game is answered with its address`() {
        send(#"{"createGame":{"home":\#(team),"away":\#(team)}}"#, to: "games")
        client.expect(
            #"{"ok":{"seq":[3,4],"changed":true,"made":"scoreboard/2"},"id":1}"#)
    }

    @Test func `A retry is answered with the same address`() {
        let event = #"{"createGame":{"home":\#(team),"away":\#(team)}}"#
        send(event, to: "games", #","key":"k""#)
        send(event, to: "games", #","key":"k""#)
        client.expect(
            #"{"ok":{"seq":[3,4],"changed":true,"made":"scoreboard/2"},"id":1}"#,
            #"{"ok":{"seq":[3,4],"changed":true,"made":"scoreboard/2","duplicate":true},"id":1}"#)
    }

    @Test func `A draft that becomes a game is answered with the address of the game`() {
        for side in ["home", "away"] {
            client.send(
                #"send game-creator/a teamNameChanged {"side":"\#(side)","name":"H"}"#)
            for (index, name) in ["A", "B", "C"].enumerated() {
                let player = #"{"side":"\#(side)","index":\#(index),"name":"\#(name)"}"#
                client.send("send game-creator/a playerNameChanged \(player)")
            }
        }
        send(#""createTapped""#, to: "game-creator/a")
        client.expect(#"{"ok":{"seq":[…],"changed":true,"made":"scoreboard/2"},"id":1}"#)
        send(#""createTapped""#, to: "game-creator/a")
        client.expect(#"{"ok":{"changed":false},"id":1}"#)
    }

    @Test func `An undo without a move changes nothing`() {
        send(#""undo""#, to: "scoreboard/1")
        client.expect(#"{"ok":{"changed":false},"id":1}"#)
    }

    /// The list of games does not show which one it had.
    @Test func `A change that its view model does not show is reported as changed`() throws {
        client.send("send scoreboard/1/home/1 foulMove")
        send(
            #"{"renamePlayer":{"side":"home","index":1,"name":"Bob","was":"Bo"}}"#,
            to: "scoreboard/1")
        client.expect(#"{"ok":{"changed":true},"id":1}"#)
        #expect(try done("scoreboard/1").seq == 2)
    }

    @Test func `Changes of a game and its players are counted together`() throws {
        let before = try done("scoreboard/1")
        #expect(before.seq == 0)
        client.send("send scoreboard/1/home/1 foulMove", "send scoreboard/1/away/3 onePointMove")
        client.send("send scoreboard/1 togglePause", "get scoreboard/1/home/2")
        let after = Cursor(mark: before.mark, seq: 3)
        client.expect(
            #"{"ok":{"address":"scoreboard/1/home/2","cursor":"…:0","done":"\#(after)","events":[…]}}"#
        )
        client.send(#"{"op":"subscribe","to":"scoreboard/1","only":[]}"#)
        client.expect(
            #"{"ok":{"to":"scoreboard/1","matched":["scoreboard/1"],"resumed":false}}"#,
            #"{"live":"scoreboard/1","cursor":"\#(before.mark):…","done":"\#(after)"}"#)
        client.send("unsubscribe scoreboard/1")
        // Another game has a count of its own.
        client.send(#"send games createGame {"home":\#(team),"away":\#(team)}"#)
        #expect(try done("scoreboard/2").seq == 0)
        #expect(try done("games").seq == 2)
    }

    @Test func `Sends without an effect and ticks of the clock are not counted`() throws {
        client.send("send scoreboard/1 undo", "send scoreboard/1 togglePause")
        bus.advance(by: .seconds(3))
        #expect(try done("scoreboard/1").seq == 1)
    }

    @Test func `An ifDone holds while the clock runs`() throws {
        client.send("send scoreboard/1 togglePause")
        let before = try done("scoreboard/1")
        bus.advance(by: .seconds(3))
        send(#""togglePause""#, to: "scoreboard/1", #","ifDone":"\#(before)""#)
        client.expect(
            #"{"ok":{"seq":[…],"changed":true,"done":"\#(before.mark):2"},"id":1}"#)
        // The count has changed since.
        send(#""onePointMove""#, to: "scoreboard/1/home/1", #","ifDone":"\#(before)""#)
        client.expect(
            #"{"error":{"code":"stale","message":"`done` is now \#(before.mark):2, not \#(before)","done":"\#(before.mark):2"},"id":1}"#
        )
        #expect(try done("scoreboard/1/home/1").seq == 2)
        send(#""undo""#, to: "scoreboard/1", #","ifDone":"\#(before.mark):2""#)
        client.expect(#"{"ok":{"changed":false,"done":"\#(before.mark):2"},"id":1}"#)
    }

    @Test func `An ifDone is stale with another daemon's mark or for a missing view model`() {
        send(#""togglePause""#, to: "scoreboard/1", #","ifDone":"k1:0""#)
        send(#""createTapped""#, to: "game-creator/b", #","ifDone":"k1:0""#)
        client.expect(
            #"{"error":{"code":"stale","message":"`done` is now …:0, not k1:0","done":"…:0"},"id":1}"#,
            #"{"error":{"code":"stale","message":"the view model does not exist yet"},"id":1}"#
        )
    }
}

/// A durable send has an effect when its action is applied.
@Suite struct `The effect of a durable send` {
    private let tallies = TallyFixture()
    private let client: TestConnection
    private let mark: String

    init() throws {
        tallies.world?.canSleep = true
        client = tallies.connect()
        client.send("get tally")
        let line = try #require(client.takeLines().first)
        mark = String(line.split(separator: "\"")[9].prefix { $0 != ":" })
    }

    private func commit(_ isDone: Bool = true) {
        if isDone { tallies.succeed() } else { tallies.fail() }
    }

    private func add(_ id: Int, _ members: String = "") {
        client.send(#"{"op":"send","to":"tally","event":{"add":{"_0":1}}\#(members),"id":\#(id)}"#)
    }

    private func expectDone(_ count: Int) {
        let view = tallies.connect()
        view.send("get tally")
        view.expect(
            #"{"ok":{"address":"tally","cursor":"…","done":"\#(mark):\#(count)","events":[…]}}"#)
    }

    @Test func `A durable change is counted once it is on disk`() {
        add(1)
        expectDone(0)
        commit()
        client.expect(#"{"ok":{"seq":[1,1],"changed":true},"id":1}"#)
        expectDone(1)
    }

    @Test func `A change whose commit failed is not counted`() {
        add(1)
        commit(false)
        client.expect(#"{"error":{"code":"unavailable",…},"id":1}"#)
        expectDone(0)
    }

    @Test func `A pending send of another connection can make an ifDone stale`() {
        add(1)
        let other = tallies.connect()
        other.send(
            #"{"op":"send","to":"tally","event":{"add":{"_0":1}},"ifDone":"\#(mark):0","id":2}"#)
        other.expectNothing()
        commit()
        commit()
        client.expect(#"{"ok":{"seq":[1,1],"changed":true},"id":1}"#)
        other.expect(
            #"{"error":{"code":"stale","message":"…","done":"\#(mark):1"},"id":2}"#)
        add(3, #","ifDone":"\#(mark):1""#)
        commit()
        client.expect(#"{"ok":{"seq":[2,2],"changed":true,"done":"\#(mark):2"},"id":3}"#)
    }

    @Test func `A send whose commit failed does not make an ifDone stale`() {
        client.send(#"send tally open {"_0":"b"}"#)
        commit()
        client.send(#"send tally give {"_0":"b","_1":1}"#)
        commit(false)
        client.expect(#"{"error":{"code":"unavailable","message":"…"}}"#)
        client.send(
            #"{"op":"send","to":"tally/b","event":{"add":{"_0":1}},"ifDone":"\#(mark):1","id":2}"#)
        commit()
        client.expect(#"{"ok":{"seq":[1,1],"changed":true,"done":"\#(mark):2"},"id":2}"#)
    }

    @Test func `The count is kept while the view model sleeps`() {
        add(1)
        commit()
        client.expect(#"{"ok":{"seq":[1,1],"changed":true},"id":1}"#)
        tallies.bus.advance(by: .seconds(180))
        expectDone(1)
        #expect(tallies.world?.made == 2)
        add(2, #","ifDone":"\#(mark):1""#)
        commit()
        client.expect(#"{"ok":{"seq":[3,3],"changed":true,"done":"\#(mark):2"},"id":2}"#)
    }

    /// A sleeping view model keeps its keys, but not their answers.
    @Test func `A retry after its view model has slept is answered as a duplicate`() {
        client.send(
            #"{"op":"send","to":"tally","event":{"open":{"_0":"b"}},"key":"k","id":1}"#)
        commit()
        client.expect(#"{"ok":{"changed":true,"made":"tally/b"},"id":1}"#)
        tallies.bus.advance(by: .seconds(180))
        client.send(
            #"{"op":"send","to":"tally","event":{"open":{"_0":"b"}},"key":"k","id":2}"#)
        client.expect(#"{"ok":{"duplicate":true},"id":2}"#)
    }
}
