import Options
import Passwords
import Protocol
import Storage

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
        if let invisible = name.unicodeScalars.first(where: \.isInvisible) {
            let point = String(invisible.value, radix: 16, uppercase: true)
            throw arguments.error("the name has the invisible character U+\(point): remove it")
        }
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
    func run(_ command: UserCommand) throws {
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
            let answer = try owner.act { try performAtRest(errand) }
            print(answer.printableLines, terminator: "")
        } catch StoreError.inUse {
            try Errand.user(errand).ask(folder, as: owner, patience: patience) {
                print($0.printableLines, terminator: "")
            }
        }
    }

    private func performAtRest(_ errand: UserErrand) throws -> String {
        // A store is made for its first user, and for nothing else.
        if case .add = errand {
        } else if try !Store.isThere(folder: folder) {
            throw StartError("\(folder): there is no store: name its folder with --state")
        }
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

extension Unicode.Scalar {
    /// A reader sees nothing of it: with it, a name looks like the name of another user.
    fileprivate var isInvisible: Bool {
        properties.generalCategory == .format || properties.isDefaultIgnorableCodePoint
    }
}
