import BusdClient
import BusdGamesEvents
import BusdOptions
import BusdProtocol

/// `viewctl export ADDRESS`, `viewctl export --all`
struct Export: Command {
    static let name = "export"
    static let verb = Verb(
        name,
        "print a book as text for Anki, or games as CSV or JSON; ADDRESS is such as study/3 "
            + "or scoreboard/1",
        options: [csvOption, escapeOption, allOption],
        operands: [Operand("ADDRESS", .oneOrNone)])

    static let csvOption = Option("csv", nil, "games as CSV, with a line of names first")
    static let escapeOption = Option(
        "escape-formulas", nil,
        "with --csv: safe to open in a spreadsheet: every cell in quotes, and ' before a cell that "
            + "would be a formula")
    static let allOption = Option(
        "all", nil, "all games, in the order of their numbers, without the deleted ones")

    private enum Subject {
        case book(BookExport)
        case games(GamesExport)
    }

    private let subject: Subject

    init(_ arguments: Arguments) throws(UsageError) {
        let isAll = arguments.has(Self.allOption)
        guard let operand = arguments.operands.first else {
            guard isAll else { throw arguments.error("export needs an ADDRESS, or --all") }
            subject = .games(GamesExport(choice: .all, form: try Self.form(arguments)))
            return
        }
        guard !isAll else { throw arguments.error("--all exports all games: leave out ADDRESS") }
        let address = try arguments.address(operand)
        if let book = BookExport(of: address) {
            guard
                ![Self.csvOption, Self.escapeOption, Settings.jsonOption].contains(
                    where: arguments.has)
            else {
                throw arguments.error(
                    "a book is exported as text: leave out --csv, --escape-formulas and --json")
            }
            subject = .book(book)
        } else if address.isGame {
            subject = .games(GamesExport(choice: .one(address), form: try Self.form(arguments)))
        } else {
            throw arguments.error(
                "export needs the study of a book or a game, such as study/3 or scoreboard/1")
        }
    }

    private static func form(_ arguments: Arguments) throws(UsageError) -> GamesExport.Format {
        let escapes = arguments.has(escapeOption)
        guard !escapes || arguments.has(csvOption) else {
            throw arguments.error("--escape-formulas needs --csv")
        }
        switch (arguments.has(csvOption), arguments.has(Settings.jsonOption)) {
        case (true, false): return .csv(GameTable(escapesFormulas: escapes))
        case (false, true): return .json
        case (true, true): throw arguments.error("--csv and --json exclude each other")
        case (false, false): throw arguments.error("games are exported with --csv or --json")
        }
    }

    func run(_ settings: Settings, _ console: Console) throws -> ExitStatus {
        let session = try settings.session(else: .perAnswer(.seconds(30)))
        switch subject {
        case .book(let book): try book.run(session, console)
        case .games(let games): try games.run(session, console)
        }
        return .done
    }
}

extension Address {
    /// Whether it is like `scoreboard/1`.
    fileprivate var isGame: Bool {
        segments.count == 2 && segments.first.map { Scoreboard.name.isExactly(String($0)) } == true
    }
}
