import BusdClient
import BusdOptions
import BusdProtocol
import Glibc

// The messages of an import.

extension Import {
    func report(
        _ outcome: Importing.Outcome, _ deck: Deck, _ form: Form, _ console: Console
    ) -> ExitStatus {
        guard let failure = outcome.failure else {
            console.put(lines: [outcome.text(form, deck)])
            return .done
        }
        let book = outcome.book.map { "book \($0)" } ?? "the book"
        let part =
            outcome.update.map { "\(outcome.count) of \($0.steps) changes of \(book) are made" }
            ?? "\(book) has \(outcome.count) of \(deck.cards.count) cards"
        if case .interrupted(let signal) = failure {
            if outcome.isBegun { console.writeError("viewctl: interrupted: \(part)") }
            kill(getpid(), signal)
        }
        let status = writeError(of: failure, console)
        if outcome.isBegun { console.writeError("  \(part)") }
        return status
    }

    func writeError(of failure: Importing.Failure, _ console: Console) -> ExitStatus {
        switch failure {
        case .noAnswer(.refused(let error)) where error.code == .stale:
            console.writeError("viewctl: the book was changed meanwhile: import the file again")
            return ExitStatus(refusedWith: error.code)
        case .noAnswer(let failure): return failure.report(console)
        case .isLost:
            console.writeError("viewctl: cannot find the new book")
            return .refused
        // The signal has ended the process, unless it is blocked.
        case .interrupted: return .noConnection
        }
    }
}

extension Importing.Outcome {
    /// `{"book":"7","address":"study/7","cards":20000}`, after an update also how many cards were
    /// `added`, `replaced` and `kept`; on a terminal a sentence.
    func text(_ form: Form, _ deck: Deck) -> String {
        let book = self.book ?? ""
        let address = "study/\(book)"
        let cards = update == nil ? count : deck.cards.count
        if case .text(let style) = form {
            return "\(summary(of: cards)) in book \(book.printable), \(deck.name.text.printable)  "
                + style.address(address.printable)
        }
        var json = JSONWriter()
        json.object { out in
            out.member("book", book)
            out.member("address", address)
            out.member("cards", cards)
            if let update {
                out.member("added", update.added)
                out.member("replaced", update.replaced)
                out.member("kept", update.kept)
            }
        }
        return String(decoding: printable(json: json.bytes[...]), as: UTF8.self)
    }

    /// `12 cards`; after an update `12 cards, 3 added, 2 replaced; 4 that the file lacks stay`.
    private func summary(of cards: Int) -> String {
        let all = cards == 1 ? "1 card" : "\(cards) cards"
        guard let update else { return cards == 0 ? "nothing imported: there are cards" : all }
        let steps = "\(all), \(update.added) added, \(update.replaced) replaced"
        return update.kept == 0 ? steps : "\(steps), and \(update.kept) that the file lacks,"
    }
}
