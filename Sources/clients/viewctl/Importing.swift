import BusdClient
import BusdEventLoop
import BusdOptions
import BusdProtocol
import BusdScreens
import Glibc

// The first batch creates the book, the others add to it. Each batch is sent after the answer to
// the previous one. It has its own key, so that it is applied once, even after a lost connection.
//
// The answer to the first batch names the new book. The answer to a repeated request may not, and
// an older daemon never names it. Then the book is in one of the events of `books` that the request
// caused. So the import subscribes to these events, and resumes after a lost connection. After a
// restart of the daemon the events are lost. Then the book is the last one with its name, because
// new books go to the end.

/// The result of an import.
struct Imported {
    var book: String?
    /// Cards that are in the book; of an update, the number of its steps so far.
    var count = 0
    var update: Importing.Update?
    var failure: (any Error)?

    var isBegun: Bool { count > 0 }
}

/// A run of `viewctl import`. It may use several connections, one after the other.
final class Importing {
    struct Interruption: Error {
        let signal: Int32
    }

    enum Job {
        case create(Name, [CardBatches.Batch])
        /// Makes the cards of this book those of a file.
        case update(Books.Row.ID, with: [Card])
    }

    let session: Session
    let progress: Progress
    private var bookmark = Bookmark()
    /// Books that were created since the start, by the `seq` of the event. After `mostMade` books
    /// the table is emptied: then the book is found by its name.
    private var made: [Int: String] = [:]
    private static let mostMade = 1_024

    init(_ session: Session, _ progress: Progress) {
        (self.session, self.progress) = (session, progress)
        session.ready = { [weak self] in self?.subscribe() }
        session.received = { [weak self] line, _ in self?.received(line) }
    }

    /// Ctrl-C ends the run with a result.
    func runUntilSignal(_ job: Job) throws -> Imported {
        let signals = [SIGINT, SIGTERM, SIGHUP].filter { !isIgnored($0) }
        let watches = try signals.map { number in
            try session.connection.loop.whenSignalled(number) { [session] in
                session.end(Interruption(signal: number))
            }
        }
        return withExtendedLifetime(watches) { run(job) }
    }

    /// The last book with this name that is not deleted; nil: there is none.
    func find(_ name: Name) throws -> Books.Row.ID? {
        Self.lastBook(named: name, in: try session.answer(to: .get(.books)))
    }

    func run(_ job: Job) -> Imported {
        // A question may have taken time.
        session.stopClock()
        var imported = Imported()
        do {
            switch job {
            case .create(let name, let batches): try run(name, batches, &imported)
            case .update(let book, let cards): try update(book, with: cards, &imported)
            }
        } catch {
            imported.failure = error
        }
        progress.end()
        return imported
    }

    private func run(
        _ name: Name, _ batches: [CardBatches.Batch], _ imported: inout Imported
    ) throws {
        guard let first = batches.first else { return }
        let answer = try session.send(first.importBook(name), to: .books)
        imported.count = first.count
        guard let book = try made(by: answer) ?? find(name) else { throw Outcome.lostBook }
        imported.book = book
        for batch in batches.dropFirst() {
            progress.show(imported.count)
            _ = try session.send(batch.addCards(to: book), to: .books)
            imported.count += batch.count
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

    static func lastBook(named name: Name, in answer: JSONValue) -> String? {
        let books = answer.list("events").compactMap { $0["books"] }.first
        return books?.list("books").last { row in
            row["name"]?.text?.isExactly(name.text) == true && row["isDeleted"]?.boolean != true
        }?["id"]?.text
    }

    // MARK: Events

    private func received(_ line: BusLine) {
        switch line {
        case .event(let event) where event.from == .books: received(event)
        case .live(let to, let cursor?) where to.text == Address.books.text:
            bookmark.becameLive(at: cursor)
        default: break
        }
    }

    private func subscribe() {
        session.ask(
            .subscribe(
                Pattern(.books), as: "import", only: ["booksEdited"], since: bookmark.cursor))
    }

    private func received(_ event: BusEvent) {
        guard bookmark.isNew(event) else { return }
        for edit in event.event["booksEdited"]?.list("edits") ?? [] {
            guard let book = edit["insert"]?["row"]?["id"]?.text else { continue }
            if made.count == Self.mostMade { made = [:] }
            made[event.seq] = book
        }
    }
}

extension Outcome {
    /// The book was created, but it is unknown which book it is.
    static let lostBook = Outcome(.refused, "cannot find the new book")
}

extension Address {
    static let books = Address.literal("books")
}
