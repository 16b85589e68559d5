import BusClient
import Glibc
import Options
import Protocol

/// What the command line asks for.
struct Settings {
    var game: Address?
    var parts: GameParts?
    var socket: String?
    var draft: Draft
    var isPlain: Bool
    var isOnce: Bool
    var isUntilFinished: Bool
    var timeout: Duration

    static let view = Option(
        "view", argument: "VIEW", "container or content: just that one (default: both)")
    static let plain = Option(
        "plain", nil, "print a line an update, as without a terminal")
    static let once = Option(
        "once", nil, "print how things stand, and be done; with --view, as a picture")
    static let untilFinished = Option(
        "until-finished", nil, "with --plain: until the game is finished")
    static let draft = Option(
        "draft", argument: "NAME", "make games in this draft, which others may share")
    static let socket = Option(
        "socket", argument: "PATH",
        "the daemon's socket (default: $BUSD_SOCKET, else $XDG_RUNTIME_DIR/busd/busd.sock, else "
            + "/run/busd/busd.sock)")
    static let timeout = Option(
        "timeout", argument: "SECONDS", "without a screen: wait so long for the daemon (default: 5)"
    )

    static let program = Program(
        "scoreboard", version: Version.text,
        "Keeps and shows the score of a pickup game. GAME is its number or its address; without "
            + "it, the newest game that is not finished, else the list of games.",
        options: [view, plain, once, untilFinished, draft, socket, timeout],
        operands: [Operand("GAME", .oneOrNone)],
        notes: """
            Keys: arrows or tab choose a player, 1 2 points, a assist, r rebound, f foul,
            space starts and pauses, u undoes, g games, n new game, ? help, q quit.

            Without a terminal, lines are printed until the game goes or the standard
            input, if it is a pipe, ends.

            Exit status: 0 done, 1 no connection, 2 refused, 64 wrong usage, 74 standard
            output can't be written.

            """)

    /// What a command line comes to.
    enum Reading {
        case run(Settings)
        /// The help or the version.
        case show(String)
    }

    /// - Parameter words: the command line without the program's name.
    static func read(_ words: some Sequence<String>) throws(UsageError) -> Reading {
        switch try program.parse(words) {
        case .show(let text): .show(text)
        case .run(let arguments): .run(try Settings(arguments))
        }
    }

    private init(_ arguments: Arguments) throws(UsageError) {
        game = try arguments.operands.first.map { text throws(UsageError) in
            try Self.game(text, arguments)
        }
        parts = try arguments.choice(Self.view, of: ["container", "content"])
            .flatMap { GameParts(rawValue: $0) }
        socket = try arguments.path(Self.socket)
        draft = try Self.draft(arguments)
        isOnce = arguments.has(Self.once)
        isUntilFinished = arguments.has(Self.untilFinished)
        if isOnce, isUntilFinished {
            throw arguments.error("--once and --until-finished exclude each other")
        }
        let hasScreen = isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1
        isPlain = arguments.has(Self.plain) || isOnce || isUntilFinished || !hasScreen
        timeout = try arguments.seconds(Self.timeout) ?? .seconds(5)
    }

    private static func game(_ text: String, _ arguments: Arguments) throws(UsageError) -> Address {
        let folder = Address.literal("scoreboard")
        let isNumber = text.utf8.allSatisfy { 48...57 ~= $0 }
        let address = isNumber ? folder.appending(text) : Address(text)
        if let address, address.isBelow(folder), address.segments.count == 2 { return address }
        throw arguments.error(
            "a game is a number such as 4, or an address such as scoreboard/4")
    }

    /// A name of one's own, unless one is given: what two people type does not mix.
    private static func draft(_ arguments: Arguments) throws(UsageError) -> Draft {
        let name = arguments[Self.draft]
        let address = Address.literal("game-creator").appending(name ?? "pid-\(getpid())")
        guard let address, address.segments.count == 2 else {
            throw arguments.error("the name of a draft has letters, digits, '.', '_' and '-'")
        }
        return Draft(address: address, isShared: name != nil)
    }
}
