import BusdClient
import BusdOptions
import BusdProtocol
import BusdScreens

/// `scoreboard export GAME`, `scoreboard export --all`
struct Export: Command {
    static let name = "export"
    static let verb = Verb(
        name, "print games as CSV or JSON; GAME is the number or address of a game",
        options: [
            csvOption, CommandSettings.jsonOption, escapeOption, allOption,
            CommandSettings.answerTimeout,
        ],
        operands: [Operand("GAME", .oneOrNone)])

    private static let csvOption = Option("csv", nil, "with a line of names first")
    private static let escapeOption = Option(
        "escape-formulas", nil,
        "with --csv: safe to open in a spreadsheet: every cell in quotes, and ' before a cell that "
            + "would be a formula")
    private static let allOption = Option(
        "all", nil, "all games, in the order of their numbers, without the deleted ones")

    private let games: GamesExport

    init(_ arguments: Arguments) throws(UsageError) {
        let choice: GamesExport.Choice
        if let operand = arguments.operands.first {
            guard !arguments.has(Self.allOption) else {
                throw arguments.error("--all exports all games: leave out GAME")
            }
            choice = .one(
                try arguments.address(
                    operand, in: .literal("scoreboard"), of: "a game", suchAs: 4))
        } else {
            guard arguments.has(Self.allOption) else {
                throw arguments.error("export needs a GAME, or --all")
            }
            choice = .all
        }
        games = GamesExport(choice: choice, form: try Self.form(arguments))
    }

    private static func form(_ arguments: Arguments) throws(UsageError) -> GamesExport.Format {
        let escapes = arguments.has(escapeOption)
        guard !escapes || arguments.has(csvOption) else {
            throw arguments.error("--escape-formulas needs --csv")
        }
        switch (arguments.has(csvOption), arguments.has(CommandSettings.jsonOption)) {
        case (true, false): return .csv(GameTable(escapesFormulas: escapes))
        case (false, true): return .json
        case (true, true): throw arguments.error("--csv and --json exclude each other")
        case (false, false): throw arguments.error("games are exported with --csv or --json")
        }
    }

    func run(_ settings: CommandSettings, _ console: Console) throws -> ExitStatus {
        try games.run(try settings.session(else: .perAnswer(.seconds(30))), console)
        return .done
    }
}
