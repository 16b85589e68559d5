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

    /// The values of a view model: its `latest` events.
    func values(
        of address: Address, _ done: @escaping (Result<[JSONValue], Failure>) -> Void
    ) {
        let question = question(done)
        connection.request(.get(address)) { answer in
            let events = answer.map { $0["events"].map { Array($0.elements) } ?? [] }
            question.answer(events.mapError(Failure.init))
        }
    }

    /// A game with its players. A player that is missing, because the game has just ended, is left
    /// out.
    func game(at address: Address, _ done: @escaping (Result<GameValues, Failure>) -> Void) {
        let question = question(done)
        values(of: address) { result in
            var game = GameValues(at: address)
            func read(_ players: ArraySlice<Address>) {
                guard let player = players.first else { return question.answer(.success(game)) }
                values(of: player) { result in
                    switch result {
                    case .success(let events): game.apply(events, from: player)
                    case .failure(.missing): break
                    case .failure(let failure): return question.answer(.failure(failure))
                    }
                    read(players.dropFirst())
                }
            }
            switch result {
            case .success(let events):
                game.apply(events, from: address)
                read(game.bench[...])
            case .failure(let failure): question.answer(.failure(failure))
            }
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
