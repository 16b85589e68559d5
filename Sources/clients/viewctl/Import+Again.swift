import BusdOptions
import BusdProtocol
import Glibc

// What an import does if there is a book of the same name.

extension Import {
    enum Decision {
        case run(Importing.Job)
        /// Nothing is imported.
        case end(ExitStatus)
    }

    func decide(
        _ deck: Deck, _ batches: CardBatches, _ importing: Importing, _ form: Form,
        _ console: Console
    ) -> Decision {
        let create = Importing.Job.create(deck.name, batches.batches)
        if again == .new { return .run(create) }
        do throws(Importing.Failure) {
            guard let book = try importing.find(deck.name) else { return .run(create) }
            switch again ?? ask(about: book, deck.name, console) {
            case .update: return .run(.update(book, with: deck.cards))
            case .new: return .run(create)
            case .nothing:
                var outcome = Importing.Outcome()
                outcome.book = book
                console.put(lines: [outcome.text(form, deck)])
                return .end(.done)
            case nil:
                console.writeError(
                    "viewctl: there is a book \(deck.name.text.printable) already, study/\(book): "
                        + "add --again update, --again new or --again nothing")
                return .end(.usage)
            }
        } catch {
            return .end(writeError(of: error, console))
        }
    }

    /// Nil without a terminal.
    private func ask(about book: Books.Row.ID, _ name: Name, _ console: Console) -> Again? {
        guard canAsk else { return nil }
        console.writeError("There is a book \(name.text.printable) already, study/\(book).")
        while true {
            console.writeError("Type update, new (another book), or nothing:")
            guard let line = readLine() else { return .nothing }
            if let again = Self.choice(line) { return again }
        }
    }

    /// - Parameter line: a choice, or a beginning that only one choice has.
    static func choice(_ line: String) -> Again? {
        let found = Again.allCases.filter { $0.rawValue.utf8.starts(with: line.utf8) }
        return found.count == 1 ? found[0] : nil
    }
}
