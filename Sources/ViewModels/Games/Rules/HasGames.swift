import BusdGamesEvents
public import BusdProtocol

/// The services of a view model that shows or changes games.
public protocol HasGames {
    /// The games of the daemon.
    var games: Library<Game> { get }
}

extension Library where T == Game {
    /// Stops the clocks of all games that were running at an instant, the last time that the daemon
    /// noted, as of this instant.
    public func pauseRunning(
        asOf instant: Instant, _ clock: any Clock, _ wallClock: any WallClock
    ) {
        let seconds = (clock.now - instant).components.seconds
        let time = UTCTime(seconds: wallClock.now.seconds &- seconds)
        for id in ids where summary(of: id)?.status == .running {
            guard let start = self[id]?.stopwatch.runningSince, start <= instant else { continue }
            propose(.halt(instant, at: time), to: id)
        }
    }
}

// MARK: Corrections

extension Library where T == Game {
    /// Why a correction would have no effect, if the sender must learn it. While other actions are
    /// pending, the log decides.
    func refusal(ofCorrecting id: GameID, _ action: GameAction, at time: Instant) -> Refusal? {
        guard !isPending(id), let game = self[id] else { return nil }
        return switch game.obstacle(to: action, at: time) {
        case nil, .nothingToDo: nil
        case .hasChanged:
            Refusal(.stale, "the game was changed elsewhere: look at it, then correct it")
        case .wins(let move):
            Refusal(
                .badEvent, "move \(move) would then win the game: correct that move first",
                at: "play")
        }
    }
}

// MARK: Limits

/// A change that makes a library of games larger.
enum GamesGrowth {
    case game(Teams)
    case move
    case running
    /// A name of so many bytes more.
    case name(Int)
}

extension Library where T == Game {
    func refusal(of growth: GamesGrowth) -> Refusal? {
        switch growth {
        case .game(let teams): return refusal(ofGame: teams.nameBytes)
        case .move:
            guard expectedSize.moves >= Games.mostMoves else { return nil }
            return .overloaded(
                "all games together have \(Games.mostMoves) moves: delete a game, which counts "
                    + "for ten minutes more",
                limit: Games.moves)
        case .running:
            guard expectedSize.running >= Games.mostRunning else { return nil }
            return .overloaded(
                "\(Games.mostRunning) games are running: pause one first", limit: Games.gamesRunning
            )
        case .name(let more):
            guard more > 0, expectedSize.nameBytes + more > Games.mostNameBytes else { return nil }
            return Self.tooManyNames
        }
    }

    private static var tooManyNames: Refusal {
        .overloaded(
            "the names in all games together have at most \(Games.mostNameBytes) bytes: delete a "
                + "game, which counts for ten minutes more, or use shorter names",
            limit: Games.gameNames)
    }

    /// - Parameter nameBytes: bytes of the names in the new game.
    private func refusal(ofGame nameBytes: Int) -> Refusal? {
        guard expectedCount < Games.mostGames else {
            return .overloaded(
                "there are \(Games.mostGames) games: delete one, which counts for ten minutes more",
                limit: Games.games)
        }
        guard expectedSize.nameBytes + nameBytes <= Games.mostNameBytes else {
            return Self.tooManyNames
        }
        return nil
    }
}
