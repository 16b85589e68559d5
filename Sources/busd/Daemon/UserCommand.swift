import BusdAccounts
import BusdOptions
import BusdProtocol

/// `busd user add NAME`, `busd user remove NAME`, `busd user list`.
enum UserCommand: Equatable {
    /// Most bytes of a name.
    private static let longest = PasswordChecker.longestName

    case add(Name)
    case remove(Name)
    case list

    init(_ arguments: Arguments) throws(UsageError) {
        let (action, name) = (arguments.operands[0], arguments.operands.dropFirst().first)
        switch (action, name) {
        case ("add", let name?): self = .add(try Self.good(name, arguments))
        case ("remove", let name?): self = .remove(try Self.name(name, arguments))
        case ("list", nil): self = .list
        case ("list", _): throw arguments.error("list takes no NAME")
        case ("add", nil), ("remove", nil): throw arguments.error("missing NAME")
        default: throw arguments.error("ACTION must be add, remove or list")
        }
    }

    private static func good(
        _ name: String, _ arguments: Arguments
    ) throws(UsageError) -> Name {
        if let problem = problem(ofNew: name) { throw arguments.error(problem) }
        return try Self.name(name, arguments)
    }

    /// Why no new user can have this name; `nil` if one can.
    static func problem(ofNew name: String) -> String? {
        guard name.utf8.count <= longest else { return "the name has more than \(longest) bytes" }
        return UserNameProblem(of: name)?.text
            ?? NameProblem(of: name).map { "the name \($0.text)" }
    }

    private static func name(
        _ name: String, _ arguments: Arguments
    ) throws(UsageError) -> Name {
        do { return try Name(name) } catch { throw arguments.error("the name \(error.text)") }
    }
}
