import BusdOptions
import BusdProtocol
import BusdScreens
import Glibc

/// The settings from the command line.
struct Settings: ProgramSettings {
    /// The book to study.
    var book: Address?
    var creator: Address
    var isOnce: Bool
    let client: ClientSettings

    static let creator = Option(
        "creator", argument: "NAME",
        "add books in book-creator/NAME; a book begun in one terminal can be continued in "
            + "another (default: the user's name)")
    static let once = Option("once", nil, "print the current state and exit")

    static let program = Program(
        "books", version: Version.text,
        "Keeps books of flash cards, and lets you study them. BOOK is the number or address of "
            + "a book to study at once.",
        options: [ClientSettings.socket, ClientSettings.host],
        ownOptions: [creator, ClientSettings.plain, once, ClientSettings.timeout],
        operands: [Operand("BOOK", .oneOrNone)], verbs: commands.map { $0.verb },
        isVerbRequired: false,
        notes: """
            Keys: arrows choose a book, enter studies it, n adds one, d deletes it, u takes
            this back, r renames it, c shows its cards, J and K move it, ? help, q quit.
            With a card: space reveals it, k known, u unknown, z undoes the last answer,
            e changes it, a begins a second round when no card is left.

            Without a terminal, the current state is printed, and then each change. If
            standard input is a pipe, the end of standard input ends the program.
            With BOOK, each line of standard input is a command: reveal, known, unknown,
            undo or again.
            """,
        statuses: statuses, environment: ClientSettings.environment,
        examples: [
            "books import Kanji.txt",
            "books import --again update Kanji.txt",
            "books import --columns front=Word,back=Meaning Words.csv",
            "books export 3 >Kanji.txt",
        ])

    static var commands: [any Command.Type] { [Import.self, Export.self] }

    private static let statuses: [ExitStatus.Meaning] =
        ExitStatus.meanings(.done, .noConnection, .refused, .timedOut, .gone, .denied, .usage) + [
            (
                .badInput,
                "import: the file cannot be read, has lines that are not understood, or is too large"
            )
        ] + ExitStatus.meanings(.outputFailed, .tryAgain)

    init(_ arguments: Arguments) throws(UsageError) {
        book = try arguments.operands.first.map { text throws(UsageError) in
            try arguments.address(text, in: .literal("study"), of: "a book", suchAs: 3)
        }
        let folder = Address.literal("book-creator")
        creator = try arguments.address(Self.creator, below: folder) ?? folder.appendingUser
        isOnce = arguments.has(Self.once)
        client = try ClientSettings(arguments, needsNoScreen: isOnce)
    }
}

extension Address {
    /// The address below this one, with the user's name.
    fileprivate var appendingUser: Address {
        let name = getpwuid(getuid()).map { String(cString: $0.pointee.pw_name) }
        return name.flatMap(appending) ?? appending("uid-\(getuid())") ?? self
    }
}
