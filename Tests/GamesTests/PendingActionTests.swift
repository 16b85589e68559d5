import BusdApplicationTestSupport
import BusdGamesEvents
import BusdProtocol
import BusdTestKit
import Testing

@testable import BusdGames

/// The test decides when the log commits or refuses entries.
@Suite struct PendingActionTests {
    private let log = TestLog()
    private let world: GamesFixture

    init() {
        world = GamesFixture(log: log)
        log.isFast = true
    }

    private func succeed() {
        log.succeed()
        world.libraries.settle()
    }

    private func fail() {
        log.fail()
        world.libraries.settle()
    }

    /// From now on the test decides when entries are committed.
    private func delay() { log.isFast = false }

    // MARK: Creators

    private func gameCreator() throws -> RecordingView<GameCreatorViewModel> {
        let creator = GameCreatorViewModel(at: try address("game-creator/me"), services: world)
        let teams = try hawksAndJets()
        creator.draft = GameDraft(
            home: TeamDraft(name: "Hawks", players: teams.home.players.map(\.text)),
            away: TeamDraft(name: "Jets", players: teams.away.players.map(\.text)))
        let view = world.watch(creator)
        view.expect(
            .draft(
                home: try #require(creator.draft?.home), away: try #require(creator.draft?.away)),
            .rules(pointsToWin: 15, margin: 2, players: 3), .problems(texts: []),
            .createEnabled(isEnabled: true))
        return view
    }

    @Test func `A creator keeps its draft of a game until the game exists`() throws {
        let view = try gameCreator()
        delay()
        view.send(.createTapped())
        view.expectNothing()
        #expect(view.model.draft != nil)
        succeed()
        view.expect(.created(address: "scoreboard/1"))
        view.forget()
        #expect(view.model.draft == nil)
        #expect(world.drafts.bytes == 0)
    }

    @Test func `A creator keeps its draft of a game that is refused`() throws {
        let view = try gameCreator()
        delay()
        view.send(.createTapped())
        fail()
        view.expectNothing()
        #expect(view.model.draft != nil)
        view.send(.createTapped())
        succeed()
        view.expect(.created(address: "scoreboard/1"))
        view.forget()
    }

    @Test func `Only view models with a state of their own await outcomes`() {
        #expect(GameCreatorViewModel.awaitsOutcomes)
        #expect(!ScoreboardViewModel.awaitsOutcomes)
        #expect(!PlayerViewModel.awaitsOutcomes)
        #expect(!GamesViewModel.awaitsOutcomes)
    }

    // MARK: Time

    private func runningBoard() throws -> RecordingView<ScoreboardViewModel> {
        let view = try world.watchScoreboard(of: try world.makeGame())
        view.send(.togglePause)
        world.time.advance(by: .milliseconds(250))
        view.forget()
        delay()
        return view
    }

    @Test func `A pending pause stops the shown time, so that it never jumps back`() throws {
        let view = try runningBoard()
        view.send(.pause)
        world.time.advance(by: .milliseconds(500))
        view.expectNothing()
        succeed()
        view.expect(.paused(isPaused: true))
        #expect(view.model.output.current.contains(.time(text: "00:00.2")))
        #expect(world.time.nextDue == nil)
    }

    @Test func `A refused pause shows the present time again at the next tenth`() throws {
        let view = try runningBoard()
        view.send(.pause)
        world.time.advance(by: .milliseconds(500))
        fail()
        view.expectNothing()
        world.time.advance(by: .milliseconds(50))
        view.expect(.time(text: "00:00.8"))
    }

    @Test func `A pending move shows the present time when it is applied`() throws {
        let view = try runningBoard()
        world.games.propose(.move(Move(.onePoint, by: .home1)), to: .first)
        world.libraries.settle()
        world.time.advance(by: .milliseconds(500))
        view.expectNothing()
        succeed()
        view.expect(
            .score(home: 1, away: 0, text: "1 - 0"), .time(text: "00:00.7"),
            .undoable(canUndo: true, moves: 1, text: "1 point of Ann"))
    }

    @Test func `A view that binds during a pending pause gets the paused time`() throws {
        let view = try runningBoard()
        view.send(.pause)
        world.time.move(to: world.time.now + .seconds(2))
        world.watch(try world.scoreboard(of: .first), only: ["time"]).expect(.time(text: "00:00.2"))
        succeed()
        view.forget()
    }

    @Test func `A game that is paused and resumed at once keeps its time`() throws {
        let view = try runningBoard()
        for event in [Scoreboard.ViewEvent.pause, .resume, .undo()] { view.send(event) }
        world.time.advance(by: .milliseconds(500))
        for _ in 1...2 { succeed() }
        view.expect(.paused(isPaused: true), .paused(isPaused: false))
        succeed()
        world.time.advance(by: .milliseconds(50))
        view.expect(.time(text: "00:00.8"))
    }

    // MARK: Limits

    @Test func `Pending games count toward the limit of games`() throws {
        let list = try world.list()
        for _ in 1...9_999 {
            world.games.create(GameSeed(try hawksAndJets(), created: world.date.now))
        }
        world.libraries.settle()
        delay()
        let creation = Games.ViewEvent.createGame(home: try hawks(), away: try jets())
        #expect(list.refusal(of: creation) == nil)
        list.handle(creation, settling: world.libraries)
        #expect(list.refusal(of: creation)?.code == .overloaded)
        fail()
        #expect(list.refusal(of: creation) == nil)
    }

    @Test func `Pending moves count toward the limit of a player`() throws {
        let foul = Move(.foul, by: .home1)
        let id = try world.makeGame(moves: Array(repeating: foul, count: 1_998))
        let player = try world.player("home/1", of: id)
        player.startOnce()
        delay()
        for _ in 1...2 {
            #expect(player.refusal(of: .foulMove) == nil)
            player.handle(.foulMove, settling: world.libraries)
        }
        #expect(player.refusal(of: .foulMove)?.code == .overloaded)
    }

    @Test func `Pending starts count toward the limit of running games`() throws {
        let ids = try (0...1_000).map { _ in try world.makeGame() }
        for id in ids.dropLast(2) { world.apply(.resume, to: id) }
        delay()
        let boards = try ids.suffix(2).map { try world.scoreboard(of: $0) }
        for board in boards { board.startOnce() }
        #expect(boards[0].refusal(of: .resume) == nil)
        boards[0].handle(.resume, settling: world.libraries)
        #expect(boards[1].refusal(of: .resume)?.code == .overloaded)
    }

}

@Suite struct RunningGamesAtStartTests {
    @Test func `At a start, running games are paused as of the last known time`() throws {
        let world = GamesFixture()
        let ids = try (1...3).map { _ in try world.makeGame() }
        for id in ids.dropLast() { world.apply(.resume, to: id) }
        world.time.advance(by: .seconds(1))
        world.games.pauseRunning(asOf: .seconds(0.5), world.time, world.date)
        world.libraries.settle()
        for id in ids { #expect(world.games[id]?.isPaused == true) }
        let elapsed = ids.map { world.games[$0]?.stopwatch.elapsed(at: world.time.now) }
        #expect(elapsed == [.milliseconds(500), .milliseconds(500), .zero])
        #expect(world.games.size.running == 0)
    }

    @Test func `A game that was resumed after the last known time is not paused`() throws {
        let world = GamesFixture()
        let id = try world.makeGame()
        world.time.advance(by: .seconds(1))
        world.apply(.resume, to: id)
        world.games.pauseRunning(asOf: .seconds(0.5), world.time, world.date)
        world.libraries.settle()
        #expect(world.games[id]?.stopwatch.runningSince == world.time.now)
    }
}
