import BusdProtocol
import TestSupport
import Testing

/// A client with a game of its own, in which it moves, undoes and pauses. Now and then it deletes
/// the game and creates another. It knows the exact state of the game, except for the effect of one
/// request without an answer.
final class GameClient {
    private enum Job {
        case create(name: String)
        case delete(id: String)
        case play(ReferenceGame.Step)
    }

    private let name: String
    private var random: SeededGenerator
    private var count = 0
    private var game: (id: String, reference: ReferenceGame)?
    /// The name of the present game, by which its id is looked up; empty without a game.
    private var gameName = ""
    private var unanswered: (job: Job, key: String)?
    private var isRetry = false
    private(set) var acknowledged = 0

    init(_ name: String, _ random: SeededGenerator) {
        self.name = name
        self.random = random
    }

    var isIdle: Bool { unanswered == nil }

    /// - Parameter id: looks up a game by its name.
    func next(_ id: (String) throws -> String) throws -> String {
        isRetry = unanswered != nil
        if unanswered == nil { unanswered = (try chooseJob(id), "\(name)-\(count)") }
        let (job, key) = try #require(unanswered)
        switch job {
        case .create(let home): return Line.createGame(home, key: key)
        case .delete(let id):
            return Line.send(#"{"deleteGame":{"game":"\#(id)"}}"#, to: "games", key: key)
        case .play(let step):
            let (below, event) = step.event
            let address = "scoreboard/\(game?.id ?? "0")\(below)"
            return Line.send("\"\(event)\"", to: address, key: key)
        }
    }

    private func chooseJob(_ id: (String) throws -> String) throws -> Job {
        count += 1
        if gameName.isEmpty {
            gameName = "\(name) \(count)"
            return .create(name: gameName)
        }
        if game == nil { game = (try id(gameName), ReferenceGame()) }
        if let game, random.once(in: 25) { return .delete(id: game.id) }
        if random.once(in: 6) { return .play(.undo) }
        if random.once(in: 10) { return .play(.togglePause) }
        let kind = MoveKind.allCases[random.number(0...4)]
        return .play(.move(player: random.number(0...5), kind))
    }

    func received(_ answer: Answer) {
        guard let (job, key) = unanswered, case .done(let seq, let isDuplicate) = answer else {
            Issue.record("\(name): \(answer)")
            return
        }
        unanswered = nil
        acknowledged += 1
        #expect(!isDuplicate || isRetry, "\(key): a first send is no duplicate")
        switch job {
        case .create: break
        case .delete:
            game = nil
            gameName = ""
        case .play(let step):
            let hasEmitted = game?.reference.take(step)
            // A duplicate took effect before the daemon was killed, so its `seq` is not known.
            if isDuplicate {
                game?.reference.daemonRestarted()
            } else {
                // A running game emits its time, too.
                let runs = game?.reference.isPaused == false
                #expect(hasEmitted == (seq != nil) || runs && seq != nil, "\(key): \(step)")
            }
        }
    }

    /// After a kill: the game is as acknowledged, or one request further.
    func check(_ library: Library) {
        game?.reference.daemonRestarted()
        let rows = library.rows.filter { $0.home.hasPrefix("\(name) ") }
        let has = rows.map(\.home)
        switch unanswered?.job {
        case .create: #expect(has.isEmpty || has == [gameName], "\(name)")
        case .delete: #expect(has.isEmpty || has == [gameName], "\(name)")
        default: #expect(has == (gameName.isEmpty ? [] : [gameName]), "\(name)")
        }
        guard let game, let row = rows.first, var shown = library.games[row.id] else { return }
        shown.tenths = 0
        var known = [game.reference.shown]
        if case .play(let step) = unanswered?.job {
            var further = game.reference
            further.take(step)
            further.daemonRestarted()
            known.append(further.shown)
        }
        #expect(row.id == game.id && known.contains(shown), "\(name): game \(row.id)")
    }
}
