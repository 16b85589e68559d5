import BusdOptions
import BusdProtocol
import BusdScreens

/// The settings from the command line.
struct Settings: ProgramSettings {
    var game: Address?
    var parts: GameParts?
    var draft: Draft
    var isOnce: Bool
    var isUntilFinished: Bool
    /// Shown at the bottom until a key is pressed.
    var notice: String?
    let client: ClientSettings

    static let view = Option(
        "view", argument: "VIEW", choices: ["container", "content"],
        "show only this view, container or content (default: both)")
    static let once = Option(
        "once", nil, "print the current state and exit; with --view, as a picture")
    static let untilFinished = Option(
        "until-finished", nil, "print lines as with --plain, and exit when the game is finished")
    static let draft = Option(
        "draft", argument: "NAME", "create games in this draft, which other terminals can share")

    static let notice = Option(
        "notice", argument: "TEXT", "show this line at the bottom until a key is pressed")

    static let program = Program(
        "scoreboard", version: Version.text,
        "Keeps and shows the score of a pickup game. GAME is the number or address of a game "
            + "(default: the newest unfinished game, else the list of games).",
        options: [ClientSettings.socket, ClientSettings.host],
        ownOptions: [
            view, ClientSettings.plain, once, untilFinished, draft, notice, ClientSettings.timeout,
        ],
        operands: [Operand("GAME", .oneOrNone)], verbs: commands.map { $0.verb },
        isVerbRequired: false,
        notes: """
            Keys: arrows, tab or the letter of a player choose a player, 1 2 points,
            a assist, r rebound, f foul, space starts and pauses, u undoes, y redoes,
            - + < > move the clock, l plays, c corrections, g games, n new game, ? help,
            q quit.

            Without a terminal, one line per update is printed, until the game is deleted.
            Each line of standard input is then a command, such as "ann 2", "undo", "redo",
            "start", "pause", "+10" or "-1", and is answered.
            If standard input is a pipe, the end of standard input also ends the program.
            With --once and --until-finished, standard input is not read.
            """,
        statuses: ExitStatus.ofClients, environment: ClientSettings.environment,
        examples: [
            "scoreboard export 1 --csv >game.csv",
            "scoreboard export --all --json | jq -r '[.game, .teams[].points] | @tsv'",
        ])

    static var commands: [any Command.Type] { [Export.self] }

    init(_ arguments: Arguments) throws(UsageError) {
        game = try arguments.operands.first.map { text throws(UsageError) in
            try arguments.address(text, in: .literal("scoreboard"), of: "a game", suchAs: 4)
        }
        parts = try arguments.choice(Self.view)
            .flatMap { GameParts(rawValue: $0) }
        draft = try Self.draft(arguments)
        isOnce = arguments.has(Self.once)
        isUntilFinished = arguments.has(Self.untilFinished)
        notice = arguments[Self.notice]
        if isOnce, isUntilFinished {
            throw arguments.error("--once and --until-finished exclude each other")
        }
        client = try ClientSettings(arguments, needsNoScreen: isOnce || isUntilFinished)
    }

    /// Without `--draft`, a name of this process, so that the typing of two users does not mix.
    private static func draft(_ arguments: Arguments) throws(UsageError) -> Draft {
        let folder = Address.literal("game-creator")
        if let address = try arguments.address(Self.draft, below: folder) {
            return Draft(address: address, isShared: true)
        }
        return Draft(address: folder.appendingProcess, isShared: false)
    }
}
