import BusdApplicationTestSupport
import BusdGamesEvents
import BusdProtocol
import BusdTestKit
import TestSupport
import Testing

@testable import BusdGames

/// Random games are compared with a naive model, which keeps the moves and counts them anew for
/// each comparison.
@Suite struct GameHistoryTests {
    @Test(arguments: 1...100 as ClosedRange<UInt64>)
    func `Players, scoreboard and list show the same game`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let fixture = try GameFixture()
        for _ in 1...150 {
            fixture.step(using: &random)
            #expect(fixture.board.output.current == fixture.expectedBoard)
            for (player, model) in zip(PlayerID.six, fixture.players) {
                #expect(model.output.current == fixture.expectedCounts(of: player))
            }
            #expect(fixture.list.rows == [fixture.expectedRow])
        }
    }
}

/// A game with all its view models, and the naive model.
private final class GameFixture {
    let world = GamesFixture()
    let board: ScoreboardViewModel
    let players: [PlayerViewModel]
    let list: ListClient
    private let games: GamesViewModel

    private var moves: [Move] = []
    /// The move that was taken back last.
    private var undone: Move?
    private var elapsed: Int64 = 0
    private var isPaused = true

    init() throws {
        games = try world.list()
        list = ListClient(of: games)
        let world = world
        let id = try world.makeGame()
        board = try world.scoreboard(of: id)
        players = try ["home", "away"].flatMap { side in
            try (1...3).map { try world.player("\(side)/\($0)", of: id) }
        }
        board.startOnce()
        for player in players { player.startOnce() }
    }

    /// Mostly points, so that games end, and sometimes a long row of undos.
    func step(using random: inout SeededGenerator) {
        switch Int.random(in: 0..<20, using: &random) {
        case 0...11: tap(Int.random(in: 0..<6, using: &random), using: &random)
        case 12...13: undo()
        case 14: for _ in 1...Int.random(in: 1...9, using: &random) { undo() }
        case 15...16: togglePause()
        default: wait(microseconds: Int64.random(in: 0...2_000_000, using: &random))
        }
    }

    private func tap(_ player: Int, using random: inout SeededGenerator) {
        let taps: [(kind: Move.Kind, event: Player.ViewEvent)] = [
            (.onePoint, .onePointMove), (.twoPoint, .twoPointMove), (.twoPoint, .twoPointMove),
            (.assist, .assistMove), (.rebound, .reboundMove), (.foul, .foulMove),
        ]
        let tap = taps[Int.random(in: taps.indices, using: &random)]
        players[player].handle(tap.event, settling: world.libraries)
        guard winner == nil else { return }
        moves.append(Move(tap.kind, by: PlayerID.six[player]))
        undone = nil
        if winner != nil { isPaused = true }
    }

    private func undo() {
        board.handle(.undo(moves: moves.count), settling: world.libraries)
        undone = moves.popLast() ?? undone
    }

    private func togglePause() {
        board.handle(.togglePause, settling: world.libraries)
        if winner == nil { isPaused.toggle() }
    }

    private func wait(microseconds: Int64) {
        world.time.advance(by: .microseconds(microseconds))
        if !isPaused { elapsed += microseconds }
    }

    private func points(_ side: Side) -> Int {
        let made = moves.filter { $0.player.side == side }.map(\.kind)
        return made.count { $0 == .onePoint } + 2 * made.count { $0 == .twoPoint }
    }

    private var winner: Side? {
        let (home, away) = (points(.home), points(.away))
        if home >= 15, home - away >= 2 { return .home }
        if away >= 15, away - home >= 2 { return .away }
        return nil
    }

    private var scoreText: String { "\(points(.home)) - \(points(.away))" }

    private var timeText: String {
        let tenths = elapsed / 100_000
        let minutes = "\(tenths / 6000)\(tenths / 600 % 10)"
        return "\(minutes):\(tenths / 100 % 6)\(tenths / 10 % 10).\(tenths % 10)"
    }

    var expectedBoard: [Scoreboard.ViewModelEvent] {
        [
            .teams(home: "Hawks", away: "Jets"),
            .players(
                home: (1...3).map { "scoreboard/1/home/\($0)" },
                away: (1...3).map { "scoreboard/1/away/\($0)" }),
            .score(home: points(.home), away: points(.away), text: scoreText),
            .time(text: timeText), .paused(isPaused: isPaused),
            .finished(isFinished: winner != nil, winner: winner),
            .clock(setting: 0),
            .undoable(canUndo: !moves.isEmpty, moves: moves.count, text: moves.last.map(words)),
            .redoable(canRedo: undone != nil, text: undone.map(words)),
        ]
    }

    private func words(of move: Move) -> String {
        let words: [Move.Kind: String] = [
            .onePoint: "1 point", .twoPoint: "2 points", .assist: "an assist",
            .rebound: "a rebound", .foul: "a foul",
        ]
        return "\(words[move.kind] ?? "") of \(Self.names[move.player] ?? "")"
    }

    private static let names: [PlayerID: String] = Dictionary(
        uniqueKeysWithValues: zip(PlayerID.six, ["Ann", "Bo", "Cy", "Di", "Ed", "Flo"]))

    func expectedCounts(of player: PlayerID) -> [Player.ViewModelEvent] {
        let counts = [Move.Kind.onePoint, .twoPoint, .assist, .rebound, .foul].map { kind in
            moves.filter { $0.player == player && $0.kind == kind }.count
        }
        let texts = counts.map { "\($0)" }
        return [
            .name(text: Self.names[player] ?? ""),
            .onePointMoveCount(text: texts[0], count: counts[0]),
            .twoPointMoveCount(text: texts[1], count: counts[1]),
            .assistMoveCount(text: texts[2], count: counts[2]),
            .reboundMoveCount(text: texts[3], count: counts[3]),
            .foulMoveCount(text: texts[4], count: counts[4]),
        ]
    }

    var expectedRow: Games.Row {
        Games.Row(
            id: "1", address: "scoreboard/1", home: "Hawks", away: "Jets", score: scoreText,
            status: winner != nil ? .finished : isPaused ? .paused : .running,
            created: 1_767_225_600)
    }
}
