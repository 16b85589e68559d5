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
        options: [
            nameOption, againOption, columnsOption, separatorOption, htmlOption, skipBadOption,
        ],
        operands: [Operand("FILE")])

    static let nameOption = Option(
        "name", "n", argument: "NAME",
        "the book's name (default: the deck's name in the file, else the file's name)")
    static let againOption = Option(
        "again", nil, argument: "CHOICE",
        "if there is a book of this name: update it, new for another book, or nothing")
    static let columnsOption = Option(
        "columns", nil, argument: "SIDES",
        "the columns of the two sides, by number or name: front=1,back=3")
    static let separatorOption = Option(
        "separator", nil, argument: "NAME",
        "tab, comma, semicolon, pipe, colon or space (default: from the file)")
    static let htmlOption = Option("html", nil, "the fields are HTML (default: the header #html)")
    static let skipBadOption = Option(
        "skip-bad", nil, "skip the lines that are not cards, and import the others")

    let path: String
    let options: Deck.Options
    let skipsBad: Bool
    /// Nil: a question asks.
    let again: Again?

    /// What to do if there is a book of the same name.
    enum Again: String, CaseIterable {
        case update, new, nothing
    }

    init(_ arguments: Arguments) throws(UsageError) {
        path = arguments.operands[0]
        skipsBad = arguments.has(Self.skipBadOption)
        again = try arguments[Self.againOption].map { text throws(UsageError) in
            if let again = Again.allCases.first(where: { $0.rawValue.isExactly(text) }) {
                return again
            }
            let names = Again.allCases.map(\.rawValue).formatted
            throw arguments.error("--again needs \(names), not '\(text.printable)'")
        }
        let columns = try arguments[Self.columnsOption].map { text throws(UsageError) in
            if let columns = ColumnRequest(text) { return columns }
            throw arguments.error(
                "--columns needs both sides, such as front=1,back=3, not '\(text.printable)'")
        }
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
            readsHTML: arguments.has(Self.htmlOption), columns: columns)
    }

    func run(_ settings: Settings, _ console: Console) -> ExitStatus {
        do throws(Deck.Failure) {
            return run(try deck(console), settings, console)
        } catch {
            let troubles = DeckTroubles(path: path)
            for text in troubles.texts(of: error) { console.writeError("viewctl: " + text) }
            switch error {
            case .badName, .columns: return .usage
            case .file, .headers, .noSeparator, .severalSeparators: return .badInput
            }
        }
    }

    /// Asks for the columns if they are not clear.
    private func deck(_ console: Console) throws(Deck.Failure) -> Deck {
        let bytes = try Deck.bytes(of: path)
        let deck = try Deck(bytes, path: path, options)
        guard !deck.layout.isClear, canAsk,
            let columns = ColumnQuestion(file: path, deck.layout).ask(console)
        else { return deck }
        var options = options
        options.columns = columns
        return try Deck(bytes, path: path, options)
    }

    var canAsk: Bool { path != "-" && isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 }

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
                Progress(of: deck.cards.count, "cards"))
            switch decide(deck, batches, importing, settings.form, console) {
            case .end(let status): return status
            case .run(let job):
                let outcome = try importing.runUntilSignal(job)
                return report(outcome, deck, settings.form, console)
            }
        } catch {
            console.writeError("viewctl: \(error)")
            return .noConnection
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
