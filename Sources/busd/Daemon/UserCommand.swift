import BusdOptions
import BusdPasswords
import BusdProtocol
import BusdStorage

/// `busd user add NAME`, `busd user remove NAME`, `busd user list`.
enum UserCommand: Equatable {
    /// Bytes of a name.
    private static let longest = PasswordChecker.longestName

    case add(Name)
    case remove(Name)
    case list

    init(_ arguments: Arguments) throws(UsageError) {
        let (action, name) = (arguments.operands[0], arguments.operands.dropFirst().first)
        switch (action, name) {
        case ("add", let name?): self = .add(try Self.good(name, arguments))
        case ("remove", let name?): self = .remove(try Self.known(name, arguments))
        case ("list", nil): self = .list
        case ("list", _): throw arguments.error("list takes no NAME")
        case ("add", nil), ("remove", nil): throw arguments.error("NAME is missing")
        default: throw arguments.error("ACTION is add, remove or list")
        }
    }

    private static func good(
        _ name: String, _ arguments: Arguments
    ) throws(UsageError) -> Name {
        guard name.utf8.count <= longest else {
            throw arguments.error("the name has more than \(longest) bytes")
        }
        if let problem = UserNameProblem(of: name) { throw arguments.error(problem.text) }
        do {
            return try Name(name)
        } catch {
            throw arguments.error("the name \(error.text)")
        }
    }

    /// The name of a user that is there, maybe added by a version with fewer rules.
    private static func known(
        _ name: String, _ arguments: Arguments
    ) throws(UsageError) -> Name {
        if let name = Name(stored: name) { return name }
        throw arguments.error("the name \(NameProblem(of: name)?.text ?? "is no name")")
    }
}

extension Maintenance {
    /// Only a daemon makes a store. If this command made one, it would add a user to a store that
    /// no daemon uses.
    func run(_ command: UserCommand) throws {
        guard try owner.act({ try Store.isThere(folder: folder) }) else {
            throw StartError(
                "\(folder): there is no store: start busd first, or name another folder with "
                    + "--state")
        }
        switch command {
        case .add(let name):
            let password = try NewPassword.read(for: name.text)
            guard let hash = PasswordHash.make(of: password) else {
                throw StartError("there is no memory to hash a password with")
            }
            try perform(.add(name: name.text, hash: hash))
        case .remove(let name): try perform(.remove(name.text))
        case .list: try perform(.list)
        }
    }

    private func perform(_ errand: UserErrand) throws {
        do {
            report(try owner.act { try performAtRest(errand) }, of: errand)
        } catch StoreError.inUse {
            try Errand.user(errand).ask(folder, as: owner, patience: patience) {
                report($0, of: errand)
            }
        }
    }

    private func report(_ answer: String, of errand: UserErrand) {
        print(answer.printableLines, terminator: "")
        if errand.changesSomething { print("changed the store in \(folder)".printable) }
    }

    private func performAtRest(_ errand: UserErrand) throws -> String {
        let store = try Store(folder: folder, durability: .full) {}
        for finding in store.findings { Self.warn(finding) }
        let answer = errand.perform(on: store.users)
        store.commit()
        store.close()
        if case .failure(let error) = store.takeOutcome() { throw error }
        switch answer {
        case .done(let text): return text
        case .refused(let reason): throw StartError(reason)
        }
    }
}
