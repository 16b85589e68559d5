@testable import BusdOptions

extension Option {
    static let socket = Option(
        "socket", "s", argument: "PATH",
        "the daemon's socket (default: $BUSD_SOCKET, else $XDG_RUNTIME_DIR/busd/busd.sock)")
    static let state = Option(
        "state", argument: "DIR", choices: ["a", "b"], "where games are kept")
    static let quiet = Option("quiet", "q", "say nothing")
    static let ifSeq = Option("if-seq", argument: "N", "only while the sequence is N")
    static let slow = Option("timeout", argument: "SECONDS", "give up (default: 30)")
    static let timeout = Option("timeout", "t", argument: "SECONDS", "give up (default: 5)")
}

/// A program with neither operands nor verbs.
let daemon = Program(
    "busd", version: "1.2", "Hosts view models.", options: [.socket, .state, .quiet])

/// A program with verbs.
let client = Program(
    "viewctl", version: "1.2",
    "Talks to a daemon from the command line, and shows what its view models say, in lines or as"
        + " JSON.",
    options: [.socket, .timeout],
    verbs: [
        Verb("list", "the view models", operands: [Operand("PATTERN", .oneOrNone)]),
        Verb(
            "send", "one view event", options: [.ifSeq],
            operands: [
                Operand("ADDRESS"), Operand("EVENT"), Operand("PAYLOAD", .oneOrNone),
            ]),
        Verb("watch", "what happens", options: [.quiet], operands: [Operand("PATTERN", .any)]),
    ],
    notes: "Exit status: 0 done, 64 usage.")

/// A program with a use of its own, and verbs beside it.
let shelf = Program(
    "shelf", version: "1.2", "Shows books.", options: [.socket], ownOptions: [.quiet, .timeout],
    operands: [Operand("BOOK", .oneOrNone)],
    verbs: [
        Verb(
            "import", "read a file", options: [.slow],
            operands: [Operand("FILE")])
    ],
    isVerbRequired: false)

extension Program {
    func run(_ words: String...) throws(UsageError) -> Arguments? {
        guard case .run(let arguments) = try parse(words) else { return nil }
        return arguments
    }

    func text(_ words: String...) throws(UsageError) -> String? {
        guard case .show(let text) = try parse(words) else { return nil }
        return text
    }
}
