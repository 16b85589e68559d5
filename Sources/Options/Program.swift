import BusdProtocol

/// The command line of a program, for parsing, `--help` and the man page.
package struct Program: Sendable {
    package let name: String
    let version: String
    let summary: String
    /// Of the manual: 1 for a program of users, 8 for one of administrators.
    let section: Int
    let options: [Option]
    let ownOptions: [Option]
    let operands: [Operand]
    let verbs: [Verb]
    let isVerbRequired: Bool
    let notes: String
    let statuses: [ExitStatus.Meaning]
    let environment: [(name: String, text: String)]
    let examples: [String]

    /// `--help` and `--version` are added. With `verbs`, the first operand is a verb, and `options`
    /// may be given before it and after it. `ownOptions` and `operands` are for a call without a
    /// verb. With `operands`, a first operand that is no verb is one of them. `notes` follow the
    /// options in the help: paragraphs that are printed as they are.
    package init(
        _ name: String, version: String, _ summary: String, section: Int = 1,
        options: [Option] = [], ownOptions: [Option] = [], operands: [Operand] = [],
        verbs: [Verb] = [], isVerbRequired: Bool = true, notes: String = "",
        statuses: [ExitStatus.Meaning] = [],
        environment: [(name: String, text: String)] = [], examples: [String] = []
    ) {
        self.name = name
        self.version = version
        self.summary = summary
        self.section = section
        self.options = options
        self.ownOptions = ownOptions
        self.operands = operands
        self.verbs = verbs
        self.isVerbRequired = isVerbRequired
        self.notes = notes
        self.statuses = statuses
        self.environment = environment
        self.examples = examples
    }
}

/// A command inside a program, with options and operands of its own.
package struct Verb: Sendable {
    package let name: String
    let summary: String
    let options: [Option]
    let operands: [Operand]

    package init(
        _ name: String, _ summary: String, options: [Option] = [], operands: [Operand] = []
    ) {
        self.name = name
        self.summary = summary
        self.options = options
        self.operands = operands
    }
}

/// A command line that the program does not understand. Nothing was done.
package struct UsageError: Error, Equatable, CustomStringConvertible {
    /// The program, and the verb if one was given.
    let command: String
    let message: String

    /// Two lines for standard error: the fault, and how to get help.
    package var description: String {
        "\(command): \(message.printable)\nTry '\(command) --help'."
    }
}
