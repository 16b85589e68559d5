import BusdApplicationTestSupport
import BusdGamesEvents
import BusdProtocol
import Testing

@Suite struct TeamTests {
    let ann = #""Ann","Bo","Cy""#

    @Test func `A team has one to five players`() throws {
        let team = try decode(#"{"name":"Hawks","players":[\#(ann)]}"#, as: Team.self)
        #expect(team.name.text == "Hawks" && team.players.map(\.text) == ["Ann", "Bo", "Cy"])
        #expect(try json(team) == #"{"name":"Hawks","players":["Ann","Bo","Cy"]}"#)
        #expect(Team(name: team.name, players: team.players) == team)
        for count in 0...6 {
            let players = Array((team.players + team.players).prefix(count))
            #expect((Team(name: team.name, players: players) != nil) == (1...5).contains(count))
        }
    }

    @Test(arguments: [
        (
            #"{"name":"H","players":[]}"#,
            "players: a team must have one to five players, not 0"
        ),
        (
            #"{"name":"H","players":["A","B","C","D","E","F"]}"#,
            "players: a team must have one to five players, not 6"
        ),
        (#"{"name":"H","players":["A","","C"]}"#, "players.1: the name is missing"),
        (#"{"name":"H","players":["A","B",3]}"#, "players.2: expected a text"),
        (#"{"name":"","players":["A","B","C"]}"#, "name: the name is missing"),
        (#"{"players":["A","B","C"]}"#, "name: missing key"),
        (#"{"name":"H"}"#, "players: missing key"),
        (#"{"name":"H","players":["A","B","C"],"coach":"D"}"#, "coach: unknown key"),
    ])
    func `An incomplete team is refused with the path`(team: String, reason: String) {
        let event = #"{"createGame":{"home":\#(team),"away":{"name":"J","players":[\#(ann)]}}}"#
        #expect(
            refusal(event, as: Games.ViewEvent.self) == "badEvent event.createGame.home.\(reason)")
    }

    @Test func `A draft of a team takes any text`() throws {
        #expect(try json(TeamDraft()) == #"{"name":"","players":["","",""]}"#)
        let draft = try decode(#"{"name":"\n","players":["\t","",""]}"#, as: TeamDraft.self)
        #expect(draft == TeamDraft(name: "\n", players: ["\t", "", ""]))
        #expect(throws: WireError.self) {
            try decode(#"{"name":"","players":[]}"#, as: TeamDraft.self)
        }
    }

    @Test func `A game has the sides home and away`() throws {
        #expect(Side.home.other == .away && Side.away.other == .home)
        #expect(try decode(#""away""#, as: Side.self) == .away)
        #expect(refusal(#""left""#, as: Side.self)?.hasPrefix("badEvent event: ") == true)
    }

    @Test func `A team has the players 0 to 4`() throws {
        #expect((-1...5).compactMap { PlayerIndex($0)?.value } == [0, 1, 2, 3, 4])
        #expect(try decode("2", as: PlayerIndex.self).value == 2)
        #expect(try json(decode("2", as: PlayerIndex.self)) == "2")
        for json in ["5", "-1"] {
            #expect(
                refusal(json, as: PlayerIndex.self)
                    == "badEvent event: a player's index must be 0 to 4")
        }
        #expect(
            refusal("1.0", as: PlayerIndex.self)
                == "badEvent event: expected an integer in range")
    }
}

@Suite struct GamesEventsTests {
    @Test func `The kinds have their documented names`() {
        let kinds: [any ViewModelKind.Type] = [
            Games.self, GameCreator.self, Scoreboard.self, Player.self, Plays.self,
        ]
        #expect(
            kinds.map { $0.name } == ["games", "game-creator", "scoreboard", "player", "plays"])
    }

    @Test func `An event that edits a list names the event with the list`() {
        func edits<Event: WireEvent>(_ type: Event.Type) -> [String: String] {
            EventDescription.all(of: type).reduce(into: [:]) { $0[$1.name] = $1.edits }
        }
        #expect(edits(Games.ViewModelEvent.self) == ["gamesEdited": "games"])
        #expect(edits(Plays.ViewModelEvent.self) == ["playsEdited": "plays"])
        #expect(edits(Scoreboard.ViewModelEvent.self) == [:])
    }

    @Test func `An event is a message unless it is declared a value`() {
        #expect(Scoreboard.ViewModelEvent.time(text: "").delivery == .latest)
        #expect(Games.ViewModelEvent.gamesEdited(edits: []).delivery == .every)
    }

    @Test func `The description of an event marks optional fields`() {
        let finished = EventDescription.all(of: Scoreboard.ViewModelEvent.self)
            .first { $0.name == "finished" }
        #expect(finished?.fields.map(\.name) == ["isFinished", "winner"])
        #expect(finished?.fields.map(\.type.name) == ["boolean", "text"])
        #expect(finished?.fields.map(\.isOptional) == [false, true])
    }

    /// A text that Unicode's comparison would take a long time for.
    private let marks = String(repeating: "\u{301}\u{316}\u{5B0}", count: 8_000)

    @Test func `A text of marks is not a side`() {
        #expect(Side(rawValue: marks) == nil)
        #expect(Side(rawValue: "home") == .home)
    }

    @Test func `Drafts are compared by their bytes`() {
        #expect(TeamDraft(name: marks) == TeamDraft(name: marks))
        #expect(TeamDraft(name: "\u{E9}") != TeamDraft(name: "e\u{301}"))
        #expect(TeamDraft(players: ["", "", "a"]) != TeamDraft())
    }
}
