public import BusdProtocol

/// The services of a view model that shows or changes games.
public protocol HasGames {
    /// The games of the daemon.
    var games: Library<Game> { get }
}

extension Library where T == Game {
    /// Pauses all games that were running at an instant, the last time that the daemon noted, as of
    /// this instant.
    public func pauseRunning(asOf instant: Instant) {
        for id in ids where summary(of: id)?.status == .running {
            guard let start = self[id]?.stopwatch.runningSince, start <= instant else { continue }
            propose(.pauseAsOf(instant), to: id)
        }
    }
}

// MARK: Limits

/// A change that makes a library of games larger.
enum GamesGrowth {
    case game(Teams)
    case move
    case running
}

extension Library where T == Game {
    func refusal(of growth: GamesGrowth) -> Refusal? {
        switch growth {
        case .game(let teams): return refusal(ofGame: teams.nameBytes)
        case .move:
            guard expectedSize.moves >= Games.mostMoves else { return nil }
            return .overloaded(
                "all games together have \(Games.mostMoves) moves: delete a game first",
                limit: "moves")
        case .running:
            guard expectedSize.running >= Games.mostRunning else { return nil }
            return .overloaded(
                "\(Games.mostRunning) games are running: pause one first", limit: "gamesRunning")
        }
    }

    /// - Parameter nameBytes: bytes of the names in the new game.
    private func refusal(ofGame nameBytes: Int) -> Refusal? {
        guard expectedCount < Games.mostGames else {
            return .overloaded(
                "there are \(Games.mostGames) games: delete one first", limit: "games")
        }
        guard expectedSize.nameBytes + nameBytes <= Games.mostNameBytes else {
            return .overloaded(
                "the names in all games together have at most \(Games.mostNameBytes) bytes: "
                    + "delete a game first, or use shorter names", limit: "gameNames")
        }
        return nil
    }
}
