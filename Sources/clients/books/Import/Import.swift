import BusdClient
import BusdDeck
import BusdOptions
import BusdProtocol
import BusdScreens
import Glibc

/// `books import FILE`
struct Import: Command {
    static let name = "import"
    static let verb = Verb(
        name,
        "create a book from a file, one card per line: front, tab, back; or from a text export of "
            + "Anki, or CSV; - is standard input",
        options: [
            nameOption, againOption, columnsOption, separatorOption, htmlOption, skipBadOption,
            CommandSettings.answerTimeout,
            CommandSettings.jsonOption, CommandSettings.plainOption,
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
        again = try arguments.value(
            Self.againOption, "update, new or nothing"
        ) { Again(rawValue: $0) }
        let columns = try arguments.value(
            Self.columnsOption, "both sides, such as front=1,back=3", ColumnRequest.init)
        let separator = try arguments.value(Self.separatorOption, Separator.names) {
            Separator(Array($0.utf8)[...])
        }
        options = Deck.Options(
            name: arguments[Self.nameOption], separator: separator,
            readsHTML: arguments.has(Self.htmlOption), columns: columns)
    }

    func run(_ settings: CommandSettings, _ console: Console) throws -> ExitStatus {
        let troubles = DeckTroubles(path: path)
        do {
            return try run(try deck(console), settings, console)
        } catch let error as DeckFile.Failure {
            throw Outcome(.badInput, troubles.text(of: error))
        } catch let error as Deck.Failure {
            for text in troubles.texts(of: error) { console.note(text) }
            switch error {
            case .badName, .columns: return .usage
            case .headers, .noSeparator, .severalSeparators: return .badInput
            }
        }
    }

    /// Asks for the columns if they are not clear.
    private func deck(_ console: Console) throws -> Deck {
        let bytes = try DeckFile(path: path).bytes
        let deck = try Deck(bytes, path: path, options)
        guard !deck.layout.isClear, canAsk,
            let columns = ColumnQuestion(file: path, deck.layout).ask(console)
        else { return deck }
        var options = options
        options.columns = columns
        return try Deck(bytes, path: path, options)
    }

    var canAsk: Bool { path != "-" && isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 }

    private func run(
        _ deck: Deck, _ settings: CommandSettings, _ console: Console
    ) throws -> ExitStatus {
        let troubles = DeckTroubles(path: path)
        for text in troubles.texts(ofLinesIn: deck, areSkipped: skipsBad) { console.note(text) }
        if !deck.problems.isEmpty, !skipsBad || deck.count == 0 { return .badInput }
        if let text = troubles.size(of: deck) { throw Outcome(.badInput, text) }
        for note in deck.notes { console.note("\(troubles.file): \(note)") }
        do {
            return try run(CardBatches(of: deck), deck, settings, console)
        } catch let error as CardBatches.TooLong {
            throw Outcome(
                .badInput,
                "\(troubles.file): line \(deck.lines[error.card]) has a card that is too long to be "
                    + "sent: shorten it")
        }
    }

    private func run(
        _ batches: CardBatches, _ deck: Deck, _ settings: CommandSettings, _ console: Console
    ) throws -> ExitStatus {
        let session = try settings.session(name: "books", else: .perAnswer(.seconds(30)))
        let importing = Importing(session, Progress(of: deck.cards.count, "cards"))
        guard let job = try job(deck, batches, importing, settings.form, console) else {
            return .done
        }
        return report(try importing.runUntilSignal(job), deck, settings.form, console)
    }
}

extension CardBatches {
    fileprivate init(of deck: Deck) throws(TooLong) {
        var name = JSONWriter()
        name.value(deck.name.text)
        try self.init(deck.cards, otherBytes: Self.otherBytes + name.bytes.count)
    }
}
