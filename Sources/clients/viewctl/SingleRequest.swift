import BusdClient
import BusdEventLoop
import BusdProtocol

/// One request, from connecting to its answer. After a lost connection it is sent again on the next
/// one, until the time limit. This is safe, because the request changes nothing or has a key.
final class SingleRequest {
    typealias Outcome = Result<Answer, NoAnswer>

    private let connection: BusConnection
    private let request: BusRequest
    private let timeout: Duration
    private var outcome: Outcome?
    private var wasConnected: Bool

    /// - Parameter waits: also if there is no daemon at first.
    init(
        _ connection: BusConnection, _ request: BusRequest, within timeout: Duration,
        waits: Bool = false
    ) {
        self.connection = connection
        self.request = request
        self.timeout = timeout
        wasConnected = waits
    }

    func run() -> Outcome {
        connection.listen(self) { $0.received($1) }
        if connection.isConnected { ask() }
        return connection.outcome(within: timeout) { outcome }
    }

    private func received(_ event: BusConnection.Event) {
        switch event {
        case .connected:
            wasConnected = true
            ask()
        case .lost(let loss):
            if loss.isFinal(wasConnected: wasConnected) { outcome = .failure(.noConnection(loss)) }
        case .line: break
        }
    }

    private func ask() {
        let start = connection.loop.clock.now
        connection.request(request) { [self] answer in
            switch answer {
            case .success(let value):
                outcome = .success(Answer(value: value, delay: connection.loop.clock.now - start))
            case .failure(.refused(let error)): outcome = .failure(.refused(error))
            case .failure(.lost), .failure(.timedOut): break
            }
        }
    }
}
