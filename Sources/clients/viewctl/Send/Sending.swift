import BusdClient
import BusdEventLoop
import BusdProtocol

/// A run of `viewctl send --events`. It subscribes to the address, sends, and prints each event
/// whose cause is the send. After a lost connection it resumes and sends again with the same key;
/// if the first send was applied, the events name that one as their cause.
final class Sending {
    private let send: Send
    private let connection: BusConnection
    private let console: Console
    private let form: Form
    private var text = WatchText()
    private var bookmark = Bookmark()
    /// The number of the current connection, after the answer to `hello`.
    private var number: Int?
    private var causes: [BusEvent.Cause] = []
    private var outcome: SingleRequest.Outcome?
    private var wasConnected = false
    private(set) var hasPrinted = false

    init(_ send: Send, _ connection: BusConnection, _ console: Console, _ form: Form) {
        self.send = send
        self.connection = connection
        self.console = console
        self.form = form
    }

    /// - Parameter timeout: zero is without limit.
    func run(within timeout: Duration) -> SingleRequest.Outcome {
        connection.listen(self) { $0.received($1) }
        return connection.outcome(within: timeout) {
            console.flush()
            return outcome
        }
    }

    private func received(_ event: BusConnection.Event) {
        guard outcome == nil else { return }
        switch event {
        case .connected: sendHello()
        case .lost(let loss):
            if loss.isFinal(wasConnected: wasConnected) { outcome = .failure(.noConnection(loss)) }
        case .line(let line, let object): received(line, object)
        }
    }

    // MARK: Requests, each after the answer to the previous one

    private func sendHello() {
        wasConnected = true
        ask(.hello(name: "viewctl")) { sending, hello in
            sending.number = hello["connection"]?.integer
            sending.subscribe()
        }
    }

    private func subscribe() {
        let request = BusRequest.subscribe(Pattern(send.address), since: bookmark.cursor)
        ask(request) { sending, _ in sending.sendEvent() }
    }

    private func sendEvent() {
        let start = connection.loop.clock.now
        let id = ask(send.request) { sending, ok in
            let delay = sending.connection.loop.clock.now - start
            sending.outcome = .success(Answer(value: ok, delay: delay))
        }
        if let id, let number {
            causes.append(BusEvent.Cause(connection: number, id: .integer(id)))
        }
    }

    @discardableResult
    private func ask(
        _ request: BusRequest, _ answered: @escaping (Sending, JSONValue) -> Void
    ) -> Int? {
        connection.request(request) { [weak self] answer in
            guard let self else { return }
            switch answer {
            case .success(let value): answered(self, value)
            case .failure(.refused(let error)): outcome = .failure(.refused(error))
            case .failure(.lost), .failure(.timedOut): break
            }
        }
    }

    // MARK: Lines

    private func received(_ line: BusLine, _ object: JSONValue) {
        switch line {
        case .event(let event):
            guard bookmark.isNew(event), !event.isSnapshot, let cause = event.cause,
                causes.contains(cause)
            else { return }
            hasPrinted = true
            put(line, object)
        case .live(_, let cursor?): bookmark.becameLive(at: cursor)
        case .gap where !causes.isEmpty: put(line, object)
        default: break
        }
    }

    private func put(_ line: BusLine, _ object: JSONValue) {
        switch form {
        case .json: console.put(json: object.json)
        case .text(let style): if let text = text.line(line, style) { console.put(lines: [text]) }
        }
    }
}
