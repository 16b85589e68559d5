import BusdClient
import BusdGamesEvents
import BusdProtocol
import TestSupport
import Testing

/// A client that adds moves to shared games, one `send` at a time. Each `send` has its own key, and
/// is repeated with this key if no answer arrived.
final class Writer {
    struct Move {
        let game: String
        let player: Int
        let kind: MoveKind
        let key: String
    }

    private let name: String
    private let games: SharedGames
    private var random: SeededGenerator
    private var count = 0
    private var isRetry = false
    private(set) var unanswered: Move?
    private(set) var acknowledged = 0

    init(_ name: String, _ games: SharedGames, _ random: SeededGenerator) {
        self.name = name
        self.games = games
        self.random = random
    }

    /// - Parameter open: games that can take moves. The first gets no points, so it never ends.
    func next(in open: [String]) -> String {
        isRetry = unanswered != nil
        let move = unanswered ?? chooseMove(in: open)
        unanswered = move
        return Line.send(
            "\"\(move.kind.event)\"", to: "scoreboard/\(move.game)/\(Player.all[move.player])",
            key: move.key)
    }

    private func chooseMove(in open: [String]) -> Move {
        count += 1
        let game = random.number(0...(open.count - 1))
        let scores = game > 0 && random.once(in: 8)
        let kinds: [MoveKind] = scores ? [.onePoint, .twoPoint] : [.assist, .rebound, .foul]
        return Move(
            game: open[game], player: random.number(0...5),
            kind: kinds[random.number(0...(kinds.count - 1))], key: "\(name)-\(count)")
    }

    func received(_ answer: Answer) {
        guard let move = unanswered else {
            Issue.record("\(name): an answer to nothing")
            return
        }
        switch answer {
        case .done(let seq, let isDuplicate):
            #expect(!isDuplicate || isRetry, "\(move.key): a first send is no duplicate")
            if seq != nil {
                games.acknowledged(move)
            } else if isDuplicate {
                games.foundDuplicate(move)
            }
            // Otherwise the move has had no effect, because the game has ended meanwhile.
            acknowledged += 1
        case .refused(let error) where error.message.contains("(limit moves"):
            games.foundFull(move.game)
        case .refused(let error): Issue.record("\(move.key) is refused: \(error)")
        }
        unanswered = nil
    }
}
