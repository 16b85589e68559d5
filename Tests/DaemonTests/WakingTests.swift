import BusdBroker
import BusdHosting
import BusdProtocol
import BusdStorage
import BusdTestKit
import BusdViewModels
import Testing

@testable import BusdDaemon

/// Games and books over a store of which commits end when the test says so. All have slept since
/// the daemon started.
@Suite struct `Games and books that wake while the disk is slow` {
    private let store: Store
    private let bus: TestBus
    private let keeper: TestConnection

    private struct Services: HasGames, HasBooks, HasClock, HasDirectory {
        let games: any GamesService
        let books: any BooksService
        let clock: any Clock
        let directory: any Directory
    }

    init() throws {
        let store = try Store(folder: "", durability: .none, wake: {})
        self.store = store
        let team = try #require(
            Team(name: Name("Hawks"), players: ["Ann", "Bo", "Cy"].map { try Name($0) }))
        let game = store.games.create(home: team, away: team)
        store.games.apply(
            .play(Move(.onePoint, by: PlayerID.all[0])), to: game, at: Instant(microseconds: 0))
        store.books.create(
            name: try Name("Kanji"), cards: (1...2).map { Card(front: "f\($0)", back: "b\($0)") })
        store.commit()
        try #require(store.takeOutcome()).get()
        bus = TestBus(journal: StoreJournal(store)) { host in
            let services = Services(
                games: store.games, books: store.books, clock: host.clock, directory: host)
            host.register(GamesViewModel.self, services: services)
            host.register(ScoreboardViewModel.self, services: services)
            host.register(PlayerViewModel.self, services: services)
            host.register(BooksViewModel.self, services: services)
            host.register(StudyViewModel.self, services: services)
        }
        keeper = bus.connect()
    }

    private func land() throws {
        try #require(store.takeOutcome()).get()
        bus.committed()
    }

    private func watch(_ address: String, only name: String) -> TestConnection {
        let view = bus.connect()
        view.send(#"{"op":"subscribe","to":"\#(address)","only":["\#(name)"]}"#)
        return view
    }

    private func expectJoined(_ view: TestConnection, _ address: String, _ event: String) {
        view.expect(
            #"{"ok":{"to":"\#(address)","matched":["\#(address)"],"resumed":false}}"#,
            #"{"from":"\#(address)","seq":0,"snapshot":true,"event":\#(event)}"#,
            #"{"live":"\#(address)","cursor":"…:0","done":"…"}"#)
    }

    private func score(_ home: Int) -> String {
        #"{"score":{"home":\#(home),"away":0,"text":"\#(home) - 0"}}"#
    }

    private func count(_ count: Int) -> String {
        #"{"onePointMoveCount":{"text":"\#(count)","count":\#(count)}}"#
    }

    private func said(_ seq: Int, by address: String, _ event: String, due id: Int? = nil) -> String
    {
        let cause = id.map { #","cause":{"connection":1,"id":\#($0)}"# } ?? ""
        return #"{"from":"\#(address)","seq":\#(seq)\#(cause),"event":\#(event)}"#
    }

    private func move(_ id: Int) {
        keeper.send(
            #"{"op":"send","to":"scoreboard/1/home/1","event":"onePointMove","id":\#(id)}"#)
    }

    private func expectMoved(_ id: Int, _ seq: Int) {
        keeper.expect(#"{"ok":{"seq":[\#(seq),\#(seq)],"changed":true},"id":\#(id)}"#)
    }

    @Test func `a scoreboard counts move by move, and the player who is awake counts none twice`()
        throws
    {
        let player = watch("scoreboard/1/home/1", only: "onePointMoveCount")
        expectJoined(player, "scoreboard/1/home/1", count(1))
        for id in 1...5 { move(id) }
        let board = watch("scoreboard/1", only: "score")
        expectJoined(board, "scoreboard/1", score(1))
        move(6)
        for id in 1...4 {
            try land()
            player.expect(said(id, by: "scoreboard/1/home/1", count(id + 1), due: id))
            board.expect(said(id, by: "scoreboard/1", score(id + 1)))
            expectMoved(id, id)
        }
        try land()
        player.expect(
            said(5, by: "scoreboard/1/home/1", count(6), due: 5),
            said(6, by: "scoreboard/1/home/1", count(7), due: 6))
        board.expect(
            said(5, by: "scoreboard/1", score(6)), said(6, by: "scoreboard/1", score(7), due: 6))
        keeper.expect(
            #"{"ok":{"seq":[5,5],"changed":true},"id":5}"#,
            #"{"ok":{"seq":[6,6],"changed":true},"id":6}"#)
    }

    @Test func `who comes to all of them is told the same`() throws {
        for id in 1...3 { move(id) }
        let view = bus.connect()
        view.send(#"{"op":"subscribe","to":"scoreboard/**","only":["score","onePointMoveCount"]}"#)
        let names = ["", "/away/1", "/away/2", "/away/3", "/home/1", "/home/2", "/home/3"]
        let lines = view.takeLines()
        #expect(lines.count == 2 + 2 * names.count)
        #expect(
            lines[1] == #"{"from":"scoreboard/1","seq":0,"snapshot":true,"event":\#(score(1))}"#)
        for id in 1...3 {
            try land()
            view.expect(
                said(id, by: "scoreboard/1", score(id + 1)),
                said(id, by: "scoreboard/1/home/1", count(id + 1), due: id))
            expectMoved(id, id)
        }
    }

    @Test func `a game that is about to go is there until it has gone`() throws {
        move(1)
        keeper.send(#"{"op":"send","to":"games","event":{"deleteGame":{"game":"1"}},"id":2}"#)
        let board = watch("scoreboard/1", only: "score")
        expectJoined(board, "scoreboard/1", score(1))
        let player = watch("scoreboard/1/away/3", only: "onePointMoveCount")
        expectJoined(player, "scoreboard/1/away/3", count(0))
        try land()
        board.expect(said(1, by: "scoreboard/1", score(2)))
        expectMoved(1, 1)
        try land()
        board.expect(#"{"gone":"scoreboard/1"}"#)
        player.expect(#"{"gone":"scoreboard/1/away/3"}"#)
        keeper.expect(#"{"ok":{"seq":[2,2],"changed":true},"id":2}"#)
    }

    @Test func `a study goes from card to card`() throws {
        let card = #"{"book":"1","cards":[{"front":"f3","back":"b3"}]}"#
        for id in 1...2 {
            keeper.send(
                #"{"op":"send","to":"books","event":{"addCards":\#(card)},"id":\#(id)}"#)
        }
        keeper.send(#"{"op":"send","to":"books","event":{"deleteBook":{"book":"1"}},"id":3}"#)
        let study = watch("study/1", only: "card")
        func asked(of count: Int) -> String {
            #"{"card":{"front":"f1","position":1,"of":\#(count)}}"#
        }
        expectJoined(study, "study/1", asked(of: 2))
        for id in 1...2 {
            try land()
            study.expect(said(id, by: "study/1", asked(of: 2 + id)))
        }
        try land()
        study.expect(#"{"gone":"study/1"}"#)
        #expect(keeper.takeLines().count == 3)
    }

    /// It comes with the first commit; with the second it has another card.
    @Test func `a book that comes shows what is on disk`() throws {
        let all = bus.connect()
        all.send(#"{"op":"subscribe","to":"study/*","only":["card"]}"#)
        _ = all.takeLines()
        keeper.send(
            #"{"op":"send","to":"books","event":{"importBook":{"name":"Kana","cards":[{"front":"f","back":"b"}]}},"id":1}"#
        )
        keeper.send(
            #"{"op":"send","to":"books","event":{"addCards":{"book":"2","cards":[{"front":"g","back":"b"}]}},"id":2}"#
        )
        try land()
        all.expect(
            #"{"from":"study/2","seq":0,"snapshot":true,"event":{"card":{"front":"f","position":1,"of":1}}}"#,
            #"{"live":"study/2","cursor":"…:0","done":"…"}"#)
        try land()
        all.expect(said(1, by: "study/2", #"{"card":{"front":"f","position":1,"of":2}}"#))
        #expect(keeper.takeLines().count == 2)
    }
}
