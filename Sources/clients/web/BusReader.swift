import BusdClient
import BusdProtocol

/// Reads the present values of view models for a page.
struct BusReader {
    /// Why a page has no values.
    enum Failure: Error {
        /// There is no such view model, or the policy of busd hides it.
        case missing
        /// busd is not there, or does not answer.
        case unreachable
        /// busd refused the request for another reason.
        case refused(WireError)
    }

    /// The most time that busd takes for a page or a tap.
    static let patience = Duration.seconds(5)

    let connection: BusConnection

    /// busd's answer.
    func ask(
        _ request: BusRequest, _ done: @escaping (Result<JSONValue, Failure>) -> Void
    ) {
        let question = question(done)
        connection.request(request) { question.answer($0.mapError(Failure.init)) }
    }

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

    /// The values of a view model: its `latest` events.
    private func values(
        of address: Address, _ done: @escaping (Result<[JSONValue], Failure>) -> Void
    ) {
        ask(.get(address)) { answer in
            done(answer.map { value in value["events"].map { Array($0.elements) } ?? [] })
        }
    }

    private func question<Value>(
        _ done: @escaping (Result<Value, Failure>) -> Void
    ) -> Question<Result<Value, Failure>> {
        let question = Question(done)
        question.deadline = connection.loop.clock.schedule(after: Self.patience) {
            question.answer(.failure(.unreachable))
        }
        return question
    }
}

extension BusReader.Failure {
    init(_ failure: RequestFailure) {
        switch failure {
        case .refused(let error) where error.code == .unknownViewModel: self = .missing
        case .refused(let error): self = .refused(error)
        case .lost, .timedOut: self = .unreachable
        }
    }
}
