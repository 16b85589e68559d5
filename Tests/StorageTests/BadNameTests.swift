import BusdProtocol
import BusdViewModels
import TestSupport
import Testing

@testable import BusdStorage

/// Earlier versions made a game although a name was missing, and wrote one name less. No start
/// could read that.
@Suite struct `A store with a game that lacks a name` {
    private let folder: Folder
    private static let names = #"["Hawks","Ann","Cy","Jets","Di","Eve","Flo"]"#

    init() throws { folder = try Folder() }

    /// Rows as such a version has written them.
    private func fill() throws {
        try Daemon(folder).close()
        let bodies = [
            ("", 0, #"{"create":{"_0":{"names":\#(Self.names),"created":1795884257}}}"#),
            (
                "", 1,
                #"{"create":{"_0":{"names":["Owls","Gus","Rams","Hal"],"created":1795884258}}}"#
            ),
            ("1", 1, #""move 1""#), ("2", 2, #""move 0""#), ("1", 3, #""player 5 3:Flo3:Fay""#),
        ]
        let connection = try Connection(path: folder.log)
        for (place, (id, previous, body)) in bodies.enumerated() {
            var entry = LogEntry(
                number: place + 1, time: Instant(microseconds: 1_795_884_257_945_533), kind: "game",
                id: id, previous: previous, body: Array(body.utf8))
            (entry.uid, entry.isSentToLibrary) = (0, id.isEmpty)
            try connection.insert([entry])
        }
        try connection.checkpoint()
    }

    private func expectGames(_ daemon: Daemon) throws {
        #expect(daemon.findings == [])
        #expect(daemon.games.ids.map(\.number) == [1, 2])
        let (one, two) = (try #require(GameID(1)), try #require(GameID(2)))
        let (first, second) = (daemon.games[one], daemon.games[two])
        #expect(first?.home.players.map(\.text) == ["Ann", "Cy"])
        #expect(first?.away.name.text == "Jets")
        #expect(first?.away.players.map(\.text) == ["Di", "Eve", "Fay"])
        #expect(first?.score.text == "2 - 0")
        #expect(second?.home.name.text == "Owls" && second?.score.text == "1 - 0")
    }

    @Test func `All its games are read from the log, and a new game gets a new id`() throws {
        try fill()
        let kinds = [KindCheck(Game.self)]
        #expect(try Store.check(folder: folder.path, kinds: kinds) == [])
        let daemon = try Daemon(folder)
        try expectGames(daemon)
        let owls = try #require(GameID(2))
        let game = try #require(daemon.games[owls])
        daemon.games.create(GameSeed(Teams(home: game.home, away: game.away)))
        #expect(try daemon.settle() == [.applied])
        #expect(daemon.games.ids.map(\.number) == [1, 2, 3])
        daemon.close()
    }

    @Test func `All its games are read from states`() throws {
        try fill()
        do {
            let daemon = try Daemon(folder)
            try daemon.saveStates().get()
            daemon.close()
        }
        #expect(
            try folder.integer(
                "state.sqlite",
                "SELECT count(*) FROM state WHERE instr(body, '\(Self.names.dropLast(6))')") == 1)
        #expect(try Store.check(folder: folder.path, kinds: [KindCheck(Game.self)]) == [])
        try expectGames(try Daemon(folder))
    }

    @Test func `A check names an entry that cannot be read`() throws {
        try fill()
        do {
            let connection = try Connection(path: folder.log)
            let found = try connection.entry(1)
            var entry = try #require(found)
            entry.body = Array(#"{"create":{"_0":{"names":["Hawks"]}}}"#.utf8)
            try connection.replace(entry)
            try connection.checkpoint()
        }
        let finding =
            "entry 1, which creates a game, cannot be read: these are not the names of two teams"
        #expect(
            try Store.check(folder: folder.path, kinds: [KindCheck(Game.self)]) == [finding])
        let daemon = try Daemon(folder)
        #expect(daemon.findings == ["\(finding): game 1 is lost"])
        #expect(daemon.games.ids.map(\.number) == [2])
        try daemon.saveStates().get()
        daemon.close()
        #expect(
            try Store.check(folder: folder.path, kinds: [KindCheck(Game.self)]) == [finding])
        #expect(try Daemon(folder).games.ids.map(\.number) == [2])
    }
}
