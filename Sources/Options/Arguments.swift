import BusdProtocol

/// A parsed command line. It has as many operands as the program declared.
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

    /// The option's argument. If it was given more than once, the last one counts.
    package subscript(option: Option) -> String? {
        given.last { $0.option == option }?.argument
    }

    /// The arguments of an option that may be given more than once, in their order.
    package func all(_ option: Option) -> [String] {
        given.filter { $0.option == option }.compactMap(\.argument)
    }

    /// A usage error of this command, for checks that only the program can make.
    package func error(_ message: String) -> UsageError {
        UsageError(command: command, message: message)
    }

    func check(against declared: [Operand]) throws(UsageError) {
        let required = declared.filter { $0.count == .one }
        if operands.count < required.count {
            throw error("missing \(required[operands.count].name)")
        }
        if declared.contains(where: { $0.count == .any }) { return }
        if operands.count > declared.count {
            throw error("unexpected operand \(quoted(operands[declared.count]))")
        }
    }
}

/// A text in quotes for a message. What a terminal would execute is escaped.
func quoted(_ text: String) -> String { "'" + text.printable + "'" }
