package import BusdClient
package import BusdProtocol

/// Reads the present values of view models for a page.
package struct BusReader {
    /// Why a page has no values.
    package enum Failure: Error {
        /// There is no such view model, or the policy of busd hides it.
        case missing
        /// busd is not there, or does not answer.
        case unreachable
        /// busd refused the request for another reason.
        case refused(WireError)
    }

    /// The most time that busd takes for a page or a tap.
    static let patience = Duration.seconds(5)

    /// For the subscription of a `SharedPage`.
    package let connection: BusConnection

    /// busd's answer.
    func ask(
        _ request: BusRequest, _ done: @escaping (Result<JSONValue, Failure>) -> Void
    ) {
        let question = question(done)
        connection.request(request) { question.answer($0.mapError(Failure.init)) }
    }

    /// The values of a view model: its `latest` events.
    package func values(
        of address: Address, _ done: @escaping (Result<[JSONValue], Failure>) -> Void
    ) {
        ask(.get(address)) { answer in
            done(answer.map { value in value["events"].map { Array($0.elements) } ?? [] })
        }
    }

    /// - Parameter late: called if the time is over.
    func question<Value>(
        _ done: @escaping (Result<Value, Failure>) -> Void,
        late: @escaping (Question<Result<Value, Failure>>) -> Void = { _ in }
    ) -> Question<Result<Value, Failure>> {
        let question = Question(done)
        question.deadline = connection.loop.clock.schedule(after: Self.patience) {
            question.answer(.failure(.unreachable))
            late(question)
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
