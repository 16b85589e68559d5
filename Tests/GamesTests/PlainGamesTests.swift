import BusdGamesEvents
import BusdProtocol
import Testing

/// The events of games as plain JSON.
@Suite struct PlainGamesTests {
    private func written(_ event: some WireEvent) throws -> String {
        var (plain, coded) = (JSONWriter(), JSONWriter())
        try plain.value(event: event)
        try coded.value(encoding: event)
        #expect(plain.bytes == coded.bytes)
        return String(decoding: plain.bytes, as: UTF8.self)
    }

    private func value(_ text: String) throws -> JSONValue {
        let document = JSONDocument()
        try document.read(Array(text.utf8))
        return try #require(document.root)
    }

    @Test func `Plain JSON is what Codable writes, also for absent values and escapes`() throws {
        #expect(
            try written(Scoreboard.ViewModelEvent.finished(isFinished: false, winner: nil))
                == #"{"finished":{"isFinished":false}}"#)
        #expect(
            try written(Scoreboard.ViewModelEvent.score(home: -1, away: 10, text: "\u{1}\"/é"))
                == #"{"score":{"home":-1,"away":10,"text":"\u0001\"/é"}}"#)
        #expect(
            try written(Scoreboard.ViewModelEvent.players(home: [], away: ["a", "b"]))
                == #"{"players":{"home":[],"away":["a","b"]}}"#)
        let row = Games.Row(
            id: "7", address: "scoreboard/7", home: "a", away: "b", score: "0 - 0",
            status: .running)
        let json =
            #"{"id":"7","address":"scoreboard/7","home":"a","away":"b","score":"0 - 0","status":"running"}"#
        #expect(
            try written(
                Games.ViewModelEvent.gamesEdited(edits: [
                    .delete(at: 3), .insert(at: 0, row: row), .move(from: 1, to: 2),
                    .update(at: 9, row: row),
                ]))
                == #"{"gamesEdited":{"edits":[{"delete":{"at":3}},{"insert":{"at":0,"row":\#(json)}},"#
                + #"{"move":{"from":1,"to":2}},{"update":{"at":9,"row":\#(json)}}]}}"#)
        #expect(try written(Games.ViewModelEvent.games(games: [])) == #"{"games":{"games":[]}}"#)
    }

    @Test func `Plain JSON is the same for rows that were made, read and changed`() throws {
        var row = Games.Row(
            id: "7", address: "scoreboard/7", home: "\"a\"", away: "é\u{1}", score: "0 - 0",
            status: .running)
        let json = try written(Games.ViewModelEvent.games(games: [row, row]))
        let read = try value(json).decode(Games.ViewModelEvent.self, at: "event")
        #expect(read == .games(games: [row, row]))
        #expect(try written(read) == json)
        row.update(score: "1 - 0", status: .finished)
        #expect(row.home == "\"a\"")
        #expect(
            try written(Games.ViewModelEvent.games(games: [row, row]))
                == json.replacing("0 - 0", with: "1 - 0").replacing("running", with: "finished"))
    }

    @Test func `A row knows the number of its bytes`() throws {
        let first = try #require(PlayerIndex(0))
        let rows: [any PlainJSON] = [
            Plays.Row(id: "12", side: .home, index: first, move: .twoPoint),
            Plays.Row(id: "123", side: .away, index: first, move: .foul, time: "01:10.3"),
        ]
        for row in rows {
            var out = JSONWriter()
            row.write(to: &out)
            #expect(row.knownBytes == out.bytes.count)
        }
    }

    @Test(arguments: Player.ViewEvent.examples)
    func `Each move is read from its name and an empty object`(move: Player.ViewEvent) throws {
        #expect(try Player.ViewEvent(plainly: value(#"{"\#(move.name)":{}}"#)) == move)
        for payload in ["[]", "1", "null", #"{"a":1}"#, #""""#] {
            let value = try value(#"{"\#(move.name)":\#(payload)}"#)
            #expect(throws: NotPlain.self) { try Player.ViewEvent(plainly: value) }
            #expect(throws: WireError.self) { try value.event(Player.ViewEvent.self, at: "event") }
        }
    }
}
