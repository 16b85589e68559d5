import BusdApplicationTestSupport
import BusdGamesEvents
import BusdTestKit
import Testing

@testable import BusdGames
@testable import BusdProtocol

@Suite struct GameCreatorViewModelTests {
    private let world = GamesFixture()

    private func creator() throws -> RecordingView<GameCreatorViewModel> {
        world.watch(
            GameCreatorViewModel(at: try address("game-creator/me"), services: world))
    }

    private let emptyProblems = [
        "The name of the home team is missing.", "The name of home player 1 is missing.",
        "The name of home player 2 is missing.", "The name of home player 3 is missing.",
        "The name of the away team is missing.", "The name of away player 1 is missing.",
        "The name of away player 2 is missing.", "The name of away player 3 is missing.",
    ]

    /// Types a valid name into each field, and forgets the events.
    private func fill(_ view: RecordingView<GameCreatorViewModel>) throws {
        for (side, team) in [(Side.home, try hawks()), (.away, try jets())] {
            view.send(.teamNameChanged(side: side, name: team.name.text))
            for (index, name) in team.players.enumerated() {
                let index = try #require(PlayerIndex(index))
                view.send(.playerNameChanged(side: side, index: index, name: name.text))
            }
        }
        view.forget()
    }

    @Test func `A game creator begins with an empty draft and all its problems`() throws {
        try creator().expect(
            .draft(home: TeamDraft(), away: TeamDraft()),
            .rules(pointsToWin: 15, margin: 2, players: 3), .problems(texts: emptyProblems),
            .createEnabled(isEnabled: false))
    }

    @Test func `Each valid name removes its problem`() throws {
        let view = try creator()
        view.forget()
        view.send(.teamNameChanged(side: .home, name: "Hawks"))
        view.expect(
            .draft(home: TeamDraft(name: "Hawks"), away: TeamDraft()),
            .problems(texts: Array(emptyProblems.dropFirst())))
        view.send(.playerNameChanged(side: .away, index: try #require(PlayerIndex(2)), name: "Flo"))
        view.expect(
            .draft(
                home: TeamDraft(name: "Hawks"), away: TeamDraft(players: ["", "", "Flo"])),
            .problems(texts: Array(emptyProblems[1...6])))
        view.send(.teamNameChanged(side: .home, name: "Hawks"))
        view.expectNothing()
    }

    @Test func `The last valid name enables the button, which creates the game`() throws {
        let view = try creator()
        try fill(view)
        view.send(.playerNameChanged(side: .away, index: try #require(PlayerIndex(0)), name: ""))
        view.expect(
            .draft(
                home: TeamDraft(name: "Hawks", players: ["Ann", "Bo", "Cy"]),
                away: TeamDraft(name: "Jets", players: ["", "Ed", "Flo"])),
            .problems(texts: ["The name of away player 1 is missing."]),
            .createEnabled(isEnabled: false))
        view.send(.playerNameChanged(side: .away, index: try #require(PlayerIndex(0)), name: "Di"))
        view.expect(
            .draft(
                home: TeamDraft(name: "Hawks", players: ["Ann", "Bo", "Cy"]),
                away: TeamDraft(name: "Jets", players: ["Di", "Ed", "Flo"])),
            .problems(texts: []), .createEnabled(isEnabled: true))
        view.send(.createTapped())
        view.expect(
            .created(address: "scoreboard/1"), .draft(home: TeamDraft(), away: TeamDraft()),
            .problems(texts: emptyProblems), .createEnabled(isEnabled: false))
        let game = try #require(world.games[.first])
        #expect(game == Game(GameSeed(try hawksAndJets(), created: world.date.now)))
    }

    @Test func `A draft with a problem creates no game`() throws {
        let view = try creator()
        view.forget()
        view.send(.createTapped())
        view.expectNothing()
        #expect(world.games.ids.isEmpty)
    }

    @Test func `A draft becomes one game, even if it is created twice`() throws {
        let view = try creator()
        try fill(view)
        view.send(.createTapped())
        view.send(.createTapped())
        view.forget()
        try fill(view)
        view.send(.createTapped())
        #expect(world.ids.map(\.text) == ["2", "1"])
        view.forget()
    }

    @Test(arguments: [
        (String(repeating: "x", count: 40), nil),
        (String(repeating: "x", count: 41), "has more than 40 characters"),
        (String(repeating: "👩‍👩‍👧", count: 40), nil), (" ", nil),
        ("", "is missing"), ("a\tb", "has a control character"),
        ("\u{7F}", "has a control character"),
        ("\u{85}", "has a control character"),
    ])
    func `The problem of a name is reported`(name: String, problem: String?) throws {
        let view = try creator()
        try fill(view)
        view.send(.teamNameChanged(side: .away, name: "Jets!"))
        view.forget()
        view.send(.teamNameChanged(side: .away, name: name))
        let players = ["Di", "Ed", "Flo"]
        view.expect(
            .draft(
                home: TeamDraft(name: "Hawks", players: ["Ann", "Bo", "Cy"]),
                away: TeamDraft(name: name, players: players)))
        if let problem {
            view.expect(
                .problems(texts: ["The name of the away team \(problem)."]),
                .createEnabled(isEnabled: false))
        }
    }

    @Test func `The list of games reports a game of a creator`() throws {
        let list = world.watch(try world.list(), only: ["created"])
        let view = try creator()
        try fill(view)
        view.send(.createTapped())
        list.expect(.created(game: "1", address: "scoreboard/1"))
        view.forget()
    }

    @Test func `A view that binds later gets the draft of a game, but no message`() throws {
        let view = try creator()
        try fill(view)
        view.send(.createTapped())
        view.forget()
        world.watch(view.model).expect(
            .draft(home: TeamDraft(), away: TeamDraft()),
            .rules(pointsToWin: 15, margin: 2, players: 3), .problems(texts: emptyProblems),
            .createEnabled(isEnabled: false))
    }

    @Test func `A draft has rules and one to five players`() throws {
        let view = try creator()
        view.forget()
        view.send(.pointsToWinChanged(points: 21))
        view.expect(.rules(pointsToWin: 21, margin: 2, players: 3))
        view.send(.marginChanged(points: 1))
        view.expect(.rules(pointsToWin: 21, margin: 1, players: 3))
        view.send(.playersChanged(count: 1))
        let none = TeamDraft(players: [""])
        view.expect(
            .draft(home: none, away: none), .rules(pointsToWin: 21, margin: 1, players: 1),
            .problems(texts: [
                emptyProblems[0], emptyProblems[1], emptyProblems[4], emptyProblems[5],
            ])
        )
        let second = try #require(PlayerIndex(1))
        let unknown = GameCreator.ViewEvent.playerNameChanged(
            side: .home, index: second, name: "Bo")
        #expect(
            view.model.refusal(of: unknown)
                == Refusal(.badEvent, "a team of this game has 1 players", at: "index"))
        view.model.handle(event: unknown)
        view.expectNothing()
        for event: GameCreator.ViewEvent in [
            .pointsToWinChanged(points: 0), .pointsToWinChanged(points: 100),
            .marginChanged(points: 0), .marginChanged(points: 6), .playersChanged(count: 0),
            .playersChanged(count: 6),
        ] {
            #expect(view.model.refusal(of: event)?.code == .badEvent)
            view.model.handle(event: event)
            view.expectNothing()
        }
        let (home, away) = (
            TeamDraft(name: "H", players: ["A"]), TeamDraft(name: "J", players: ["B"])
        )
        // The number of players on the screen is an older one.
        #expect(
            view.model.refusal(of: .createTapped(home: TeamDraft(), away: TeamDraft()))?.code
                == .stale)
        view.send(.createTapped(home: home, away: away))
        view.forget()
        let game = try #require(world.games[.first])
        #expect(game.rules == GameRules(pointsToWin: 21, margin: 1))
        #expect(game.teams == Teams(home: try team("H", "A"), away: try team("J", "B")))
        #expect(game.created == world.date.now)
    }

    @Test(arguments: ["", String(repeating: "x", count: 41)], [0, 1, 2])
    func `A game is not created while the name of a player is bad`(
        name: String, player: Int
    ) throws {
        let creator = GameCreatorViewModel(at: try address("game-creator/me"), services: world)
        for side in Side.allCases {
            var draft = GameDraft(
                home: TeamDraft(name: "H", players: ["A", "B", "C"]),
                away: TeamDraft(name: "J", players: ["D", "E", "F"]))
            draft[side].players[player] = name
            creator.draft = draft
            #expect(draft.teams == nil)
            creator.handle(.createTapped(), settling: world.libraries)
            creator.handle(
                .createTapped(home: draft.home, away: draft.away), settling: world.libraries)
            #expect(
                creator.refusal(of: .createTapped(home: draft.home, away: draft.away))?.path
                    == "\(side.rawValue).players.\(player)")
        }
        #expect(world.games.ids == [])
    }

    @Test(arguments: Team.sizes)
    func `An empty draft takes teams of any size`(size: Int) throws {
        let creator = GameCreatorViewModel(at: try address("game-creator/me"), services: world)
        creator.handle(event: .marginChanged(points: 1))
        let players = (1...size).map { "P\($0)" }
        let (home, away) = (
            TeamDraft(name: "H", players: players), TeamDraft(name: "J", players: players)
        )
        let event = GameCreator.ViewEvent.createTapped(home: home, away: away)
        #expect(creator.refusal(of: event) == nil)
        creator.handle(event, settling: world.libraries)
        let game = try #require(world.games[.first])
        #expect(game.teams.size == size && game.rules.margin == 1)
        #expect(creator.refusal(of: .createTapped(home: home))?.path == "away.name")
    }

    @Test func `Teams of two sizes are refused`() throws {
        let creator = GameCreatorViewModel(at: try address("game-creator/me"), services: world)
        #expect(
            creator.refusal(
                of: .createTapped(
                    home: TeamDraft(name: "H", players: ["A"]),
                    away: TeamDraft(name: "J", players: ["D", "E"])))
                == Refusal(
                    .badEvent, "both teams need the same number of players", at: "away.players"))
    }

    @Test func `A stored draft with the usual rules has none`() throws {
        let team = #"{"name":"A","players":["","",""]}"#
        let draft = try decoded(
            GameDraft.self, from: Array(#"{"home":\#(team),"away":\#(team)}"#.utf8))
        #expect(draft.rules == .usual && draft.size == 3)
        #expect(
            String(decoding: try encoded(draft), as: UTF8.self)
                == #"{"home":\#(team),"away":\#(team)}"#)
    }

    @Test func `A creator is on demand`() { #expect(GameCreatorViewModel.placement == .onDemand) }

    @Test func `A game is created only if the screen shows the newest draft`() throws {
        let view = try creator()
        let hawks = TeamDraft(name: "Hawks", players: ["Ann", "Bo", "Cy"])
        let jets = TeamDraft(name: "Jets", players: ["Di", "Ed", "Flo"])
        func refusal(_ home: TeamDraft?, _ away: TeamDraft?) -> Refusal? {
            view.model.refusal(of: .createTapped(home: home, away: away))
        }
        #expect(
            refusal(hawks, TeamDraft())
                == Refusal(.badEvent, "The name of the away team is missing.", at: "away.name"))
        #expect(refusal(hawks, jets) == nil)
        view.send(.teamNameChanged(side: .home, name: "Owls"))
        view.forget()
        #expect(
            refusal(hawks, jets)
                == Refusal(
                    .stale, "the draft was changed elsewhere: look at it, then create it"))
        view.send(.teamNameChanged(side: .home, name: ""))
        view.forget()
        view.send(.createTapped(home: hawks, away: jets))
        view.expect(.created(address: "scoreboard/1"))
    }
}
