import BusdAccounts
import BusdHosting
import BusdProtocol

/// `bus/users`: adds and removes users.
final class BusUsersViewModel: DurableViewModel, AdministrativeViewModel {
    typealias Kind = BusUsers

    struct Services {
        let users: Library<User>
        let log: DaemonLog
    }

    static let placement = Placement.fixed(BusUsers.address)

    let output = Output<BusUsers.ViewModelEvent>()
    private let users: Library<User>
    private let log: DaemonLog

    init(at address: Address, services: Services) {
        (users, log) = (services.users, services.log)
    }

    var subject: Subject { users.subject }

    func start() {
        show()
        users.changes.bind(self) { $0.changed($1) }
    }

    func refusal(of event: BusUsers.ViewEvent) -> Refusal? {
        guard case .addUser(let name, let hash) = event else { return nil }
        if let problem = UserCommand.problem(ofNew: name.text) {
            return Refusal(.badEvent, problem, at: "name")
        }
        let isHash = hash.withBytes { $0.starts(with: "$argon2id$".utf8) }
        return isHash
            ? nil
            : Refusal(
                .badEvent, "the hash must begin with $argon2id$: use the verb user", at: "hash")
    }

    func handle(event: BusUsers.ViewEvent) {
        switch event {
        case .addUser(let name, let hash):
            let text = hash.withBytes { String(decoding: $0, as: UTF8.self) }
            users.propose(.setHash(text), to: ExactText(name.text))
        case .removeUser(let name): users.delete(ExactText(name.text))
        }
    }

    private func show() { output.send(.users(names: users.names)) }

    private func changed(_ change: LibraryChange<User>) {
        switch change {
        case .created(let name, _):
            log.info("\(name.text) can sign in")
            show()
        case .changed(let name, _, _): log.info("\(name.text) has a new password")
        case .deleted(let name):
            log.info("\(name.text) can't sign in any more")
            show()
        case .moved: break
        }
    }
}

extension Library where T == User {
    /// Sorted by their bytes.
    var names: [String] { ids.sorted().map(\.text) }
}
