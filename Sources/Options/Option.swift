/// An option of a program: the one source for the parser and for `--help`.
package struct Option: Hashable, Sendable {
    /// The long name, without its dashes.
    package let name: String
    /// The short form, an ASCII letter.
    let letter: Character?
    /// The name of the argument in `--help`, such as `PATH`. Nil: the option takes none.
    let argument: String?
    /// The words that the argument can be; empty: any.
    let choices: [String]
    /// One or two lines, including the default.
    let help: String

    package init(
        _ name: String, _ letter: Character? = nil, argument: String? = nil,
        choices: [String] = [], _ help: String
    ) {
        self.name = name
        self.letter = letter
        self.argument = argument
        self.choices = choices
        self.help = help
    }

    /// Not in `--help`; scripts/manuals.sh makes the man pages from it.
    static let manual = Option("manual", nil, "print the man page")
    static let help = Option("help", "h", "print this help")
    static let version = Option("version", "V", "print the version")

    /// `-s, --socket PATH`. The long names of all options are aligned.
    var label: String {
        let short = letter.map { "-\($0), " } ?? "    "
        return short + "--" + name + (argument.map { " " + $0 } ?? "")
    }
}

/// A word of the command line that is not an option.
package struct Operand: Hashable, Sendable {
    package enum Count: Sendable {
        case one
        case oneOrNone
        case any
    }

    let name: String
    let count: Count

    package init(_ name: String, _ count: Count = .one) {
        self.name = name
        self.count = count
    }

    /// `ADDRESS`, `[PAYLOAD]`, `[PATTERN]...`
    var label: String {
        switch count {
        case .one: name
        case .oneOrNone: "[\(name)]"
        case .any: "[\(name)]..."
        }
    }
}
