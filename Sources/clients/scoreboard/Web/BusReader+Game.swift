import BusdProtocol
import BusdSite

extension BusReader {
    /// A game with its players. A player that is missing, because the game has just ended, is left
    /// out.
    func game(at address: Address, _ done: @escaping (Result<GameValues, Failure>) -> Void) {
        values(of: address) { result in
            switch result {
            case .success(let events):
                var game = GameValues(at: address)
                game.apply(events, from: address)
                addPlayers(to: game, done)
            case .failure(let failure): done(.failure(failure))
            }
        }
    }

    private func addPlayers(
        to game: GameValues, _ done: @escaping (Result<GameValues, Failure>) -> Void
    ) {
        var result = Result<GameValues, Failure>.success(game)
        var open = game.bench.count
        if open == 0 { return done(result) }
        for player in game.bench {
            values(of: player) { answer in
                switch (answer, result) {
                case (.success(let events), .success(var game)):
                    game.apply(events, from: player)
                    result = .success(game)
                case (.failure(.missing), _), (_, .failure): break
                case (.failure(let failure), .success): result = .failure(failure)
                }
                open -= 1
                if open == 0 { done(result) }
            }
        }
    }
}
