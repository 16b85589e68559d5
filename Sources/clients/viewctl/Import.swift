import BusdClient
import BusdEventLoop
import BusdOptions
import BusdProtocol

/// `viewctl import FILE`
struct Import: Command {
    static let name = "import"
    static let verb = Verb(
        name,
        "create a book from a file, one card per line: front, tab, back; or from a text export of "
            + "Anki; - is standard input",
        options: [nameOption, skipBadOption], operands: [Operand("FILE")],
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
    static let skipBadOption = Option(
        "skip-bad", nil, "skip the lines that are not cards, and import the others")

    let path: String
    let bookName: String?
    let skipsBad: Bool

    init(_ arguments: Arguments) throws(UsageError) {
        path = arguments.operands[0]
        bookName = arguments[Self.nameOption]
        skipsBad = arguments.has(Self.skipBadOption)
    }

    func run(_ settings: Settings, _ console: Console) -> ExitStatus {
        do throws(Deck.Failure) {
            let deck = try Deck(path: path, name: bookName)
            return run(deck, settings, console)
        } catch {
            console.writeError("viewctl: " + words(error))
            if case .badName = error { return .usage }
            return .badInput
        }
    }

    private func run(_ deck: Deck, _ settings: Settings, _ console: Console) -> ExitStatus {
        for problem in deck.problems { console.writeError("viewctl: \(file): \(problem)") }
        if !deck.problems.isEmpty, !skipsBad {
            console.writeError("viewctl: nothing was imported; --skip-bad leaves such lines out")
            return .badInput
        }
        guard !deck.cards.isEmpty else {
            console.writeError("viewctl: \(file) has no cards")
            return .badInput
        }
        guard deck.cards.count <= Books.mostCards else {
            console.writeError(
                "viewctl: \(file) has \(deck.cards.count) cards, and a book has at most "
                    + "\(Books.mostCards): import it in parts")
            return .badInput
        }
        do throws(CardBatches.TooLong) {
            let batches = try CardBatches(of: deck)
            return run(batches, deck, settings, console)
        } catch {
            let line = deck.lines[error.card]
            console.writeError(
                "viewctl: \(file): line \(line) has a card that is too long to be sent")
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
            return report(importing.run(deck.name, batches.batches), deck, settings.form, console)
        } catch {
            console.writeError("viewctl: \(error)")
            return .noConnection
        }
    }

    // MARK: Messages

    private var file: String { path == "-" ? "standard input" : path }

    private func words(_ failure: Deck.Failure) -> String {
        switch failure {
        case .unreadable(let reason): "\(file): \(reason)"
        case .isTooLarge: "\(file) has more than \(Deck.mostBytes >> 20) MiB"
        case .isNotText: "\(file) is not UTF-8 text"
        case .badName(_, .isEmpty): "the book needs a name: add --name NAME"
        case .badName(let name, let problem):
            "the book's name '\(name)' \(problem.text); set another name with --name"
        }
    }

    private func report(
        _ outcome: Importing.Outcome, _ deck: Deck, _ form: Form, _ console: Console
    ) -> ExitStatus {
        guard let failure = outcome.failure else {
            console.put(lines: [outcome.text(form, deck)])
            return .done
        }
        let status = writeError(of: failure, console)
        if outcome.isBegun {
            let book = outcome.book.map { "book \($0)" } ?? "the book"
            console.writeError("  \(book) has \(outcome.count) of \(deck.cards.count) cards")
        }
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
