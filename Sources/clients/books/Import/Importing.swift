import BusdBooksEvents
import BusdClient
import BusdEventLoop
import BusdOptions
import BusdProtocol
import BusdScreens
import Glibc

// The first batch creates the book, the others add to it. Each batch is sent after the answer to
// the previous one. It has its own key, so that it is applied once, even after a lost connection.
//
// The answer to the first batch names the new book. If the batch is sent again, a daemon that has
// restarted in between answers without the name. Then the book is the last one with its name,
// because new books go to the end.

/// The result of an import.
struct Imported {
    var book: String?
    /// Cards that are in the book; of an update, the number of its steps so far.
    var count = 0
    var update: Importing.Update?
    var failure: (any Error)?

    var isBegun: Bool { count > 0 }
}

/// A run of `books import`. It may use several connections, one after the other.
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

    init(_ session: Session, _ progress: Progress) {
        (self.session, self.progress) = (session, progress)
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
        let made = answer["made"]?.text.flatMap(Address.init)?.name
        guard let book = try made ?? find(name) else { throw Outcome.lostBook }
        imported.book = book
        for batch in batches.dropFirst() {
            progress.show(imported.count)
            _ = try session.send(batch.addCards(to: book), to: .books)
            imported.count += batch.count
        }
    }

    static func lastBook(named name: Name, in answer: JSONValue) -> String? {
        let books = answer.list("events").compactMap { $0["books"] }.first
        return books?.list("books").last { row in
            row["name"]?.text?.isExactly(name.text) == true && row["isDeleted"]?.boolean != true
        }?["id"]?.text
    }
}

extension Outcome {
    /// The book was created, but it is unknown which book it is.
    static let lostBook = Outcome(.refused, "cannot find the new book")
}

extension Address {
    static let books = Address.literal("books")
}
