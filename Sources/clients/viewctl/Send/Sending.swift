import BusdClient
import BusdProtocol
import BusdScreens

/// A run of `viewctl send --events`. It subscribes to the address, sends, and prints each event
/// whose cause is the send. After a lost connection it resumes and sends again with the same key;
/// if the first send was applied, the events name that one as their cause.
final class Sending {
    private let send: Send
    private let session: Session
    private let console: Console
    private let form: OutputForm
    private var text = WatchText()
    private var bookmark = Bookmark()
    private var causes: [BusEvent.Cause] = []
    private var answer: JSONValue?
    private(set) var hasPrinted = false

    init(_ send: Send, _ session: Session, _ console: Console, _ form: OutputForm) {
        (self.send, self.session) = (send, session)
        (self.console, self.form) = (console, form)
    }

    /// - Returns: the answer to the send.
    func run() throws -> JSONValue {
        session.ready = { [weak self] in self?.sendHello() }
        session.received = { [weak self] in self?.received($0, $1) }
        return try session.waitForAnswer {
            console.flush()
            return answer
        }
    }

    /// Each request is sent after the answer to the previous one.
    private func sendHello() {
        session.ask(.hello(name: "viewctl")) { [self] hello in
            let request = BusRequest.subscribe(Pattern(send.address), since: bookmark.cursor)
            session.ask(request) { [self] _ in sendEvent(hello["connection"]?.integer) }
        }
    }

    /// - Parameter number: of the current connection.
    private func sendEvent(_ number: Int?) {
        let id = session.ask(send.request) { [self] in answer = $0 }
        if let id, let number {
            causes.append(BusEvent.Cause(connection: number, id: .integer(id)))
        }
    }

    // MARK: Lines

    private func received(_ line: BusLine, _ object: JSONValue) {
        guard answer == nil else { return }
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
        console.put(object, form) { text.lines(line, $0) }
    }
}
