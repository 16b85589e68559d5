import BusdClient
import BusdEventLoop
import BusdProtocol
import Glibc

// The first batch creates the book, the others add to it. Each batch is sent after the answer to
// the previous one. It has its own key, so that it is applied once, even after a lost connection.
//
// The answer to the first batch names the new book. The answer to a repeated request may not, and
// an older daemon never names it. Then the book is in one of the events of `books` that the request
// caused. So the import subscribes to these events, and resumes after a lost connection. After a
// restart of the daemon the events are lost. Then the book is the last one with its name, because
// new books go to the end.

/// A run of `viewctl import`. It may use several connections, one after the other.
final class Importing {
    enum Failure: Error {
        case noAnswer(NoAnswer)
        /// The book was created, but it is unknown which book it is.
        case isLost
        case interrupted(signal: Int32)
    }

    /// How long an import waits for the daemon.
    enum Timeout {
        /// Zero: no limit.
        case total(Duration)
        case perAnswer(Duration)
    }

    /// The result of an import.
    struct Outcome {
        var book: String?
        /// Cards that are in the book; of an update, the number of its steps so far.
        var count = 0
        var update: Update?
        var failure: Failure?

        var isBegun: Bool { count > 0 }
    }

    enum Job {
        case create(Name, [CardBatches.Batch])
        /// Makes the cards of this book those of a file.
        case update(Books.Row.ID, with: [Card])
    }

    private let connection: BusConnection
    private let timeout: Timeout
    private var deadline: ScheduledAction?
    let progress: Progress
    private var bookmark = Bookmark()
    /// Books that were created since the start, by the `seq` of the event. After `mostMade` books
    /// the table is emptied: then the book is found by its name.
    private var made: [Int: String] = [:]
    private static let mostMade = 1_024
    private var isOpen = false
    private var wasConnected = false
    private var final: Failure?

    init(_ connection: BusConnection, _ timeout: Timeout, _ progress: Progress) {
        self.connection = connection
        self.timeout = timeout
        self.progress = progress
    }

    /// Ctrl-C ends the run with an outcome.
    func runUntilSignal(_ job: Job) throws(LoopFailure) -> Outcome {
        var watches: [ClientLoop.Watch] = []
        for number in [SIGINT, SIGTERM, SIGHUP] where !isIgnored(number) {
            watches.append(
                try connection.loop.whenSignalled(number) { [weak self] in
                    self?.final = .interrupted(signal: number)
                })
        }
        return withExtendedLifetime(watches) { run(job) }
    }

    /// The last book with this name that is not deleted; nil: there is none.
    func find(_ name: Name) throws(Failure) -> Books.Row.ID? {
        begin()
        defer { deadline = nil }
        return Self.lastBook(named: name, in: try get(.books))
    }

    private func begin() {
        if case .total(let span) = timeout, span > .zero {
            limit(to: connection.left(of: span))
        }
        guard !isOpen else { return }
        isOpen = true
        connection.listen(self, address: .books) { $0.received($1) }
        connection.open()
    }

    func run(_ job: Job) -> Outcome {
        begin()
        var outcome = Outcome()
        do throws(Failure) {
            switch job {
            case .create(let name, let batches): try run(name, batches, &outcome)
            case .update(let book, let cards): try update(book, with: cards, &outcome)
            }
        } catch {
            outcome.failure = error
        }
        progress.end()
        connection.close()
        return outcome
    }

    private func run(
        _ name: Name, _ batches: [CardBatches.Batch], _ outcome: inout Outcome
    ) throws(Failure) {
        guard let first = batches.first else { return }
        let answer = try send(first.importBook(name))
        outcome.count = first.count
        outcome.book = try book(made(by: answer), named: name)
        for batch in batches.dropFirst() {
            progress.show(outcome.count)
            guard let book = outcome.book else { throw .isLost }
            _ = try send(batch.addCards(to: book))
            outcome.count += batch.count
        }
    }

    // MARK: Asking

    func send(
        _ event: [UInt8], to address: Address = .books, ifDone: Cursor? = nil
    ) throws(Failure) -> JSONValue {
        try wait {
            connection.send(event, to: address, ifDone: ifDone, within: Self.forever, $0)
        }
    }

    /// Asks again on the next connection if the connection is lost.
    func get(_ address: Address) throws(Failure) -> JSONValue {
        while true {
            if case .perAnswer(let span) = timeout { limit(to: span) }
            while !connection.isConnected {
                if let final { throw final }
                connection.loop.loop.turn(block: true)
            }
            do throws(Failure) {
                return try wait { connection.request(.get(address), $0) }
            } catch {
                guard case .noAnswer(.noConnection) = error, final == nil else { throw error }
            }
        }
    }

    /// No limit: `limit(to:)` sets the deadline.
    private static let forever = Duration.seconds(1_000_000_000)

    private func limit(to span: Duration) {
        deadline = connection.loop.clock.schedule(after: span) { [weak self] in
            guard let self, final == nil else { return }
            final = .noAnswer(connection.loss.map { .noConnection($0) } ?? .timedOut)
        }
    }

    /// Runs the loop until there is an answer.
    private func wait(
        for ask: (@escaping (BusConnection.Answer) -> Void) -> Void
    ) throws(Failure) -> JSONValue {
        if case .perAnswer(let span) = timeout { limit(to: span) }
        var answer: BusConnection.Answer?
        ask { answer = $0 }
        while true {
            if let final { throw final }
            switch answer {
            case .success(let value): return value
            case .failure(.refused(let error)): throw .noAnswer(.refused(error))
            case .failure(.lost(let loss)): throw .noAnswer(.noConnection(loss))
            case .failure(.timedOut): throw .noAnswer(.timedOut)
            case nil: connection.loop.loop.turn(block: true)
            }
        }
    }

    // MARK: Which book

    private func made(by answer: JSONValue) -> String? {
        if let study = answer["made"]?.text.flatMap(Address.init) {
            return study.segments.last.map(String.init)
        }
        let seq = answer["seq"]?.elements.compactMap(\.integer) ?? []
        guard let first = seq.first, let last = seq.last, first <= last else { return nil }
        return made.filter { first...last ~= $0.key }.values.first
    }

    private func book(_ known: String?, named name: Name) throws(Failure) -> String {
        if let known { return known }
        let answer = try wait { connection.request(.get(.books), $0) }
        guard let book = Self.lastBook(named: name, in: answer) else { throw .isLost }
        return book
    }

    static func lastBook(named name: Name, in answer: JSONValue) -> String? {
        let books = answer["events"]?.elements.compactMap { $0["books"]?["books"] }.first
        let rows = books.map { Array($0.elements) } ?? []
        return rows.last { row in
            row["name"]?.text?.isExactly(name.text) == true && row["isDeleted"]?.boolean != true
        }?["id"]?.text
    }

    // MARK: Events

    private func received(_ event: BusConnection.Event) {
        switch event {
        case .connected: subscribe()
        case .lost(let loss):
            if loss.isFinal(wasConnected: wasConnected) { final = .noAnswer(.noConnection(loss)) }
        case .line(.event(let event), _) where event.from == .books: received(event)
        case .line(.live(let to, let cursor?), _) where to.text == Address.books.text:
            bookmark.becameLive(at: cursor)
        case .line: break
        }
    }

    private func subscribe() {
        wasConnected = true
        let request = BusRequest.subscribe(
            Pattern(.books), as: "import", only: ["booksEdited"], since: bookmark.cursor)
        connection.request(request) { [weak self] answer in
            if case .failure(.refused(let error)) = answer {
                self?.final = .noAnswer(.refused(error))
            }
        }
    }

    private func received(_ event: BusEvent) {
        guard bookmark.isNew(event) else { return }
        for edit in event.event["booksEdited"]?["edits"].map({ Array($0.elements) }) ?? [] {
            guard let book = edit["insert"]?["row"]?["id"]?.text else { continue }
            if made.count == Self.mostMade { made = [:] }
            made[event.seq] = book
        }
    }
}

extension Address {
    static let books = Address.literal("books")
}
