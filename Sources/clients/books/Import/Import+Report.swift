import BusdClient
import BusdDeck
import BusdOptions
import BusdProtocol
import BusdScreens
import Glibc

// The messages of an import.

extension Import {
    func report(
        _ imported: Imported, _ deck: Deck, _ form: OutputForm, _ console: Console
    ) -> ExitStatus {
        guard let failure = imported.failure else {
            console.put(lines: [imported.text(form, deck)])
            return .done
        }
        let book = imported.book.map { "book \($0)" } ?? "the book"
        let part =
            imported.update.map { "\(imported.count) of \($0.steps) changes of \(book) are made" }
            ?? "\(book) has \(imported.count) of \(deck.cards.count) cards"
        if let interruption = failure as? Importing.Interruption {
            if imported.isBegun { console.note("interrupted: \(part)") }
            kill(getpid(), interruption.signal)
            // The signal is blocked.
            return .noConnection
        }
        let status = console.status { throw failure }
        if imported.isBegun { console.writeError("  \(part)") }
        return status
    }
}

extension Imported {
    /// `{"book":"7","address":"study/7","cards":20000}`, after an update also how many cards were
    /// `added`, `replaced` and `kept`; on a terminal a sentence.
    func text(_ form: OutputForm, _ deck: Deck) -> String {
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
