import BusdBooksEvents
import BusdDeck
import BusdOptions
import BusdProtocol
import BusdScreens
import Glibc

// What an import does if there is a book of the same name.

extension Import {
    /// Nil: nothing is imported.
    func job(
        _ deck: Deck, _ batches: CardBatches, _ importing: Importing, _ form: OutputForm,
        _ console: Console
    ) throws -> Importing.Job? {
        let create = Importing.Job.create(deck.name, batches.batches)
        guard again != .new, let book = try importing.find(deck.name) else { return create }
        switch again ?? ask(about: book, deck.name, console) {
        case .update: return .update(book, with: deck.cards)
        case .new: return create
        case .nothing:
            console.put(lines: [Imported(book: book).text(form, deck)])
            return nil
        case nil:
            throw Outcome(
                .usage,
                "there is a book \(deck.name.text.printable) already, study/\(book): "
                    + "add --again update, --again new or --again nothing")
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
