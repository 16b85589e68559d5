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

    /// The most time that busd takes for a page.
    static let patience = Duration.seconds(5)

    let connection: BusConnection

    /// The values of a view model: its `latest` events.
    func values(
        of address: Address, _ done: @escaping (Result<[JSONValue], Failure>) -> Void
    ) {
        let question = Question(done)
        question.deadline = connection.loop.clock.schedule(after: Self.patience) {
            question.answer(.failure(.unreachable))
        }
        connection.request(.get(address)) { answer in
            let events = answer.map { $0["events"].map { Array($0.elements) } ?? [] }
            question.answer(events.mapError(Failure.init))
        }
    }

    /// A game with its players. A player that is missing, because the game has just ended, is left
    /// out.
    func game(at address: Address, _ done: @escaping (Result<GameValues, Failure>) -> Void) {
        values(of: address) { result in
            var game = GameValues(at: address)
            func read(_ players: ArraySlice<Address>) {
                guard let player = players.first else { return done(.success(game)) }
                values(of: player) { result in
                    switch result {
                    case .success(let events): game.apply(events, from: player)
                    case .failure(.missing): break
                    case .failure(let failure): return done(.failure(failure))
                    }
                    read(players.dropFirst())
                }
            }
            switch result {
            case .success(let events):
                game.apply(events, from: address)
                read(game.bench[...])
            case .failure(let failure): done(.failure(failure))
            }
        }
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
