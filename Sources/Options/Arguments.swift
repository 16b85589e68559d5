import BusdProtocol

/// What a command line gave. Its operands are as many as the program declared.
package struct Arguments: Equatable, Sendable {
    let command: String
    package let verb: String?
    let given: [Given]
    package let operands: [String]

    struct Given: Equatable, Sendable {
        let option: Option
        let argument: String?
    }

    package func has(_ option: Option) -> Bool { given.contains { $0.option == option } }

    /// The option's argument. Where it was given more than once the last one counts.
    package subscript(option: Option) -> String? {
        given.last { $0.option == option }?.argument
    }

    /// A usage error of this command, for what only the program can judge.
    package func error(_ message: String) -> UsageError {
        UsageError(command: command, message: message)
    }

    func check(against declared: [Operand]) throws(UsageError) {
        let required = declared.filter { $0.count == .one }
        if operands.count < required.count {
            throw error("\(required[operands.count].name) is missing")
        }
        if declared.contains(where: { $0.count == .any }) { return }
        if operands.count > declared.count {
            throw error("unexpected operand \(quoted(operands[declared.count]))")
        }
    }
}

/// For a message, which spells out what a terminal would obey.
func quoted(_ text: String) -> String { "'" + text.printable + "'" }
