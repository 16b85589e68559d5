import BusdClient
import BusdEventLoop
import BusdProtocol

/// The present values of view models, over one connection. After a lost connection they are asked
/// for again on the next one.
final class Reading {
    /// The events of `get`, and what was done to the thing before.
    struct Values {
        let events: [JSONValue]
        let done: String?

        fileprivate init(_ answer: JSONValue) {
            events = answer["events"].map { Array($0.elements) } ?? []
            done = answer["done"]?.text
        }

        /// The events that this version knows.
        func events<Event: WireEvent>(_ type: Event.Type) -> [Event] {
            events.compactMap { try? $0.decode(type, at: "event") }
        }
    }

    private let connection: BusConnection
    private let timeout: Duration?
    private let start: Instant
    private var wasConnected = false

    private var addresses: [Address] = []
    private var answers: [Result<Values, WireError>?] = []
    private var failure: NoAnswer?

    /// - Parameter timeout: the time limit of the whole run; zero: none; nil: 30 s for each answer.
    init(_ connection: BusConnection, within timeout: Duration?) {
        self.connection = connection
        self.timeout = timeout.map { connection.left(of: $0) }
        start = connection.loop.clock.now
        connection.listen(self) { $0.received($1) }
    }

    /// The values of each view model, in this order; nil: there is no such view model.
    func values(of addresses: [Address]) throws(NoAnswer) -> [Values?] {
        self.addresses = addresses
        answers = Array(repeating: nil, count: addresses.count)
        if connection.isConnected { ask() }
        let all = connection.outcome(within: limit) { outcome }
        return try all.get().map { answer throws(NoAnswer) in
            switch answer {
            case .success(let values): return values
            case .failure(let error) where error.code == .unknownViewModel: return nil
            case .failure(let error): throw .refused(error)
            }
        }
    }

    private var limit: Duration {
        guard let timeout else { return .seconds(30) }
        let spent = connection.loop.clock.now - start
        return timeout == .zero ? .zero : max(timeout - spent, .milliseconds(1))
    }

    private var outcome: Result<[Result<Values, WireError>], NoAnswer>? {
        if let failure { return .failure(failure) }
        let known = answers.compactMap { $0 }
        return known.count == answers.count ? .success(known) : nil
    }

    private func received(_ event: BusConnection.Event) {
        switch event {
        case .connected:
            wasConnected = true
            ask()
        case .lost(let loss):
            if loss.isFinal(wasConnected: wasConnected) { failure = .noConnection(loss) }
        case .line: break
        }
    }

    private func ask() {
        for (place, address) in addresses.enumerated() where answers[place] == nil {
            connection.request(.get(address)) { [weak self] answer in
                switch answer {
                case .success(let value): self?.answers[place] = .success(Values(value))
                case .failure(.refused(let error)): self?.answers[place] = .failure(error)
                case .failure(.lost), .failure(.timedOut): break
                }
            }
        }
    }
}
