import BusdClient
import BusdGamesEvents
import BusdProtocol
import Testing

/// Games to which many clients add moves, and what is known of each: the acknowledged moves, the
/// possible moves, and the counts that a view has been shown.
final class SharedGames {
    private struct Known {
        var acknowledged = Library.Game().counts
        /// Duplicates that may have had no effect, because the game has ended.
        var possible = Library.Game().counts
        /// Whether the game was finished when the daemon started.
        var isFinished = false
        var shown = Library.Game().counts
        /// The newest time of the game, in tenths of a second, that was shown since the daemon
        /// started.
        var tenths = 0
    }

    private var games: [String: Known] = [:]
    private(set) var full: Set<String> = []
    /// Each id that was ever reported, and the home team of its game.
    private var owners: [String: String] = [:]

    func add(_ id: String) { games[id] = Known() }

    func acknowledged(_ move: Writer.Move) {
        games[move.game]?.acknowledged[move.player][move.kind.rawValue] += 1
    }

    /// The move was handled before a restart, so its `seq` is not known. A game that had not ended
    /// at the restart has counted the move.
    func foundDuplicate(_ move: Writer.Move) {
        guard games[move.game]?.isFinished == true else { return acknowledged(move) }
        games[move.game]?.possible[move.player][move.kind.rawValue] += 1
    }

    /// A player of the game can take no more moves.
    func foundFull(_ id: String) { full.insert(id) }

    func note(_ line: BusLine) {
        guard case .event(let event) = line, let name = event.name,
            let payload = event.event[name]
        else { return }
        let parts = event.from.text.split(separator: "/").map(String.init)
        guard parts.first == "scoreboard", games[parts[1]] != nil else { return }
        if name == "time" {
            games[parts[1]]?.tenths = payload["text"]?.text.flatMap(GameTime.tenths) ?? -1
        } else if let kind = MoveKind(countedBy: name), let count = payload["count"]?.integer,
            let player = Player.all.firstIndex(of: parts[2...].joined(separator: "/"))
        {
            games[parts[1]]?.shown[player][kind.rawValue] = count
        }
    }

    /// After a kill: no acknowledged or shown move is lost, and each move was sent by a writer.
    func check(_ library: Library, unanswered: [Writer.Move]) {
        for row in library.rows {
            #expect(owners[row.id] ?? row.home == row.home, "id \(row.id) is used again")
            owners[row.id] = row.home
        }
        for (id, known) in games {
            guard let game = library.games[id] else {
                Issue.record("game \(id) is lost")
                continue
            }
            for player in 0..<6 {
                for kind in MoveKind.allCases {
                    let least = known.acknowledged[player][kind.rawValue]
                    let possible = known.possible[player][kind.rawValue]
                    let open = unanswered.count {
                        $0.game == id && $0.player == player && $0.kind == kind
                    }
                    let count = game.counts[player][kind.rawValue]
                    let what = "game \(id), \(Player.all[player]), \(kind)"
                    #expect(least...(least + possible + open) ~= count, "\(what)")
                    #expect(known.shown[player][kind.rawValue] <= count, "\(what): was shown")
                }
            }
            #expect(game.isPaused, "game \(id) runs after a restart")
            // The shown time is rounded down to tenths.
            #expect(known.tenths - game.tenths < 10, "game \(id) has lost a second")
            games[id]?.tenths = game.tenths
            games[id]?.isFinished = game.isFinished
        }
    }
}
