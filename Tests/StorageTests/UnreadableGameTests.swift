import BusdProtocol
import TestSupport
import Testing

@testable import BusdGames
@testable import BusdStorage

@Suite struct `A store with an entry that cannot be read` {
    private let folder: Folder

    init() throws { folder = try Folder() }

    /// The second game lacks a name.
    private func fill() throws {
        try GamesStoreFixture(folder).close()
        let bodies = [
            ("", 0, #"{"create":{"_0":{"names":["Hawks","Jets"],"created":1795884257}}}"#),
            ("", 1, #"{"create":{"_0":{"names":["Owls","Gus","Rams"],"created":1795884258}}}"#),
            ("", 2, #"{"create":{"_0":{"names":["Owls","Gus","Rams","Hal"],"created":1}}}"#),
            ("3", 3, #""move 0""#),
        ]
        let connection = try Database(path: folder.log)
        for (place, (id, previous, body)) in bodies.enumerated() {
            var entry = LogEntry(
                number: place + 1, time: Instant(microseconds: 1_795_884_257_945_533), kind: "game",
                id: id, previous: previous, body: Array(body.utf8))
            (entry.uid, entry.isSentToLibrary) = (0, id.isEmpty)
            try connection.insert([entry])
        }
        try connection.checkpoint()
    }

    @Test func `Each such entry is named, and all else is read`() throws {
        try fill()
        let findings = [1, 2].map {
            "entry \($0), which creates a game, cannot be read: these are not the names of two teams"
        }
        let busd = StoreDaemon("busd", [KindCheck(Game.self)])
        #expect(try Store.check(folder: folder.path, of: busd) == findings)
        let daemon = try GamesStoreFixture(folder)
        #expect(daemon.findings == zip(findings, 1...).map { "\($0): game \($1) is lost" })
        #expect(daemon.games.ids.map(\.number) == [3])
        #expect(daemon.games.ids.first.flatMap { daemon.games[$0]?.score.text } == "1 - 0")
        try daemon.saveStates().get()
        daemon.close()
        #expect(try Store.check(folder: folder.path, of: busd) == findings)
        #expect(try GamesStoreFixture(folder).games.ids.map(\.number) == [3])
    }
}
