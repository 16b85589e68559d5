import BusdStorage

/// What `busd user` does with the store's users, whoever has it open.
enum UserErrand: Equatable {
    case add(name: String, hash: String)
    case remove(String)
    case list

    var changesSomething: Bool { self != .list }

    func perform(on users: StoredUsers) -> ErrandAnswer {
        switch self {
        case .add(let name, let hash):
            let isNew = users.put(hash, for: name)
            return .done(isNew ? "\(name) can sign in\n" : "\(name) has a new password\n")
        case .remove(let name):
            guard users.remove(name) else { return .refused("there is no user \(name)") }
            return .done("\(name) can't sign in any more\n")
        case .list:
            return .done(users.names.map { "\($0)\n" }.joined())
        }
    }
}
