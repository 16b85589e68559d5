import BusdClient
import BusdEventLoop
import BusdOptions
import BusdProtocol
import Glibc

/// `viewctl import FILE`
struct Import: Command {
    static let name = "import"
    static let verb = Verb(
        name,
        "create a book from a file, one card per line: front, tab, back; or from a text export of "
            + "Anki, or CSV; - is standard input",
        options: [nameOption, separatorOption, htmlOption, skipBadOption],
        operands: [Operand("FILE")],
        details: """
            Each request has a key of its own, so a lost connection doubles no cards.
            If lines are not cards, their numbers are reported, and nothing is imported.
            A file with more than 10,000 cards, the limit of a book, is refused.
            The number of the book, the address of its study, and the number of its cards are
            printed.
            """)

    static let nameOption = Option(
        "name", "n", argument: "NAME",
        "the book's name (default: the deck's name in the file, else the file's name)")
    static let separatorOption = Option(
        "separator", nil, argument: "NAME",
        "tab, comma, semicolon, pipe, colon or space (default: from the file)",
        details: """
            The default is the header #separator of the file, else the tab if a line has one, else
            the one of comma, semicolon and pipe that splits every line into the same number of
            fields.
            In the last case, standard error says which was taken.
            """)
    static let htmlOption = Option("html", nil, "the fields are HTML (default: the header #html)")
    static let skipBadOption = Option(
        "skip-bad", nil, "skip the lines that are not cards, and import the others")

    let path: String
    let options: Deck.Options
    let skipsBad: Bool

    init(_ arguments: Arguments) throws(UsageError) {
        path = arguments.operands[0]
        skipsBad = arguments.has(Self.skipBadOption)
        var separator: Separator?
        if let text = arguments[Self.separatorOption] {
            separator = Separator(Array(text.utf8)[...])
            if separator == nil {
                let names = Separator.allCases.map(\.rawValue).formatted
                throw arguments.error("--separator needs \(names), not '\(text.printable)'")
            }
        }
        options = Deck.Options(
            name: arguments[Self.nameOption], separator: separator,
            readsHTML: arguments.has(Self.htmlOption))
    }

    func run(_ settings: Settings, _ console: Console) -> ExitStatus {
        do throws(Deck.Failure) {
            let deck = try Deck(path: path, options)
            return run(deck, settings, console)
        } catch {
            let troubles = DeckTroubles(path: path)
            for text in troubles.texts(of: error) { console.writeError("viewctl: " + text) }
            if case .badName = error { return .usage }
            return .badInput
        }
    }

    private func run(_ deck: Deck, _ settings: Settings, _ console: Console) -> ExitStatus {
        let troubles = DeckTroubles(path: path)
        for text in troubles.texts(ofLinesIn: deck, areSkipped: skipsBad) {
            console.writeError("viewctl: " + text)
        }
        if !deck.problems.isEmpty, !skipsBad || deck.count == 0 { return .badInput }
        if let text = troubles.size(of: deck) {
            console.writeError("viewctl: " + text)
            return .badInput
        }
        for note in deck.notes { console.writeError("viewctl: \(troubles.file): \(note)") }
        do throws(CardBatches.TooLong) {
            let batches = try CardBatches(of: deck)
            return run(batches, deck, settings, console)
        } catch {
            console.writeError(
                "viewctl: \(troubles.file): line \(deck.lines[error.card]) has a card that is too "
                    + "long to be sent: shorten it")
            return .badInput
        }
    }

    private func run(
        _ batches: CardBatches, _ deck: Deck, _ settings: Settings, _ console: Console
    ) -> ExitStatus {
        do throws(LoopFailure) {
            let connection = try settings.connection(name: "viewctl")
            let importing = Importing(
                connection, settings.timeout.map { .total($0) } ?? .perAnswer(.seconds(30)),
                Progress(of: deck.cards.count))
            let outcome = try importing.runUntilSignal(deck.name, batches.batches)
            return report(outcome, deck, settings.form, console)
        } catch {
            console.writeError("viewctl: \(error)")
            return .noConnection
        }
    }

    // MARK: Messages

    private func report(
        _ outcome: Importing.Outcome, _ deck: Deck, _ form: Form, _ console: Console
    ) -> ExitStatus {
        guard let failure = outcome.failure else {
            console.put(lines: [outcome.text(form, deck)])
            return .done
        }
        let book = outcome.book.map { "book \($0)" } ?? "the book"
        let part = "\(book) has \(outcome.count) of \(deck.cards.count) cards"
        if case .interrupted(let signal) = failure {
            if outcome.isBegun { console.writeError("viewctl: interrupted: \(part)") }
            kill(getpid(), signal)
        }
        let status = writeError(of: failure, console)
        if outcome.isBegun { console.writeError("  \(part)") }
        return status
    }

    private func writeError(of failure: Importing.Failure, _ console: Console) -> ExitStatus {
        switch failure {
        case .refused(let error):
            console.writeError(refusal(error))
            return ExitStatus(refusedWith: error.code)
        case .noConnection(let loss):
            console.writeError("viewctl: \(loss)")
            return ExitStatus(loss)
        case .timedOut:
            console.writeError("viewctl: busd did not answer in time")
            return .timedOut
        case .isLost:
            console.writeError("viewctl: cannot find the new book")
            return .refused
        // The signal has ended the process, unless it is blocked.
        case .interrupted: return .noConnection
        }
    }
}

extension CardBatches {
    fileprivate init(of deck: Deck) throws(TooLong) {
        var name = JSONWriter()
        name.value(deck.name.text)
        try self.init(deck.cards, otherBytes: Self.otherBytes + name.bytes.count)
    }
}

extension Importing.Outcome {
    /// `{"book":"7","address":"study/7","cards":20000}`; on a terminal a sentence.
    fileprivate func text(_ form: Form, _ deck: Deck) -> String {
        let book = self.book ?? ""
        let address = "study/\(book)"
        if case .text(let style) = form {
            let cards = count == 1 ? "1 card" : "\(count) cards"
            return "\(cards) in book \(book.printable), \(deck.name.text.printable)  "
                + style.address(address.printable)
        }
        var json = JSONWriter()
        json.object { out in
            out.member("book", book)
            out.member("address", address)
            out.member("cards", count)
        }
        return String(decoding: printable(json: json.bytes[...]), as: UTF8.self)
    }
}
