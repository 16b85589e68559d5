import BusdAccounts
import BusdEventLoop
import BusdFiles
import BusdProtocol
import BusdStorage
import Glibc

// The verb `user`. If no daemon has the store open, the command opens it.

extension Maintenance {
    /// Only a daemon makes a store. If this command made one, it would add a user to a store that
    /// no daemon uses.
    func run(_ command: UserCommand) throws {
        guard try owner.act({ try Store.exists(folder: folder, of: daemon) }) else {
            throw StartError(
                "\(folder): there is no store: start \(daemon) first, or name another folder with "
                    + "--state")
        }
        switch command {
        case .add(let name):
            // Before the question for a password.
            _ = try unlessServed({ try owner.act(requireNoHouse) }, else: { _ in })
            let password = try NewPassword.read(for: name.text)
            guard let hash = PasswordHash.make(of: password) else {
                throw StartError("not enough memory to hash the password")
            }
            try perform(.add(name: name.text, hash: hash))
        case .remove(let name): try perform(.remove(name.text))
        case .list: try perform(.list)
        }
    }

    func perform(_ request: UserRequest) throws {
        let answer = try unlessServed {
            try owner.act {
                if request != .list { try requireNoHouse() }
                let users = try OfflineUsers(in: folder, of: daemon, timeout: timeout)
                defer { users.close() }
                return try request.perform(on: users)
            }
        } else: { client in
            try request.perform(on: ServedUsers(client: client))
        }
        report(answer, of: request)
    }

    /// Without a daemon, an entry of a house cannot be made: Redis gives it its number.
    private func requireNoHouse() throws {
        guard let mark = try HouseMark(in: folder) else { return }
        throw StartError(
            "\(folder): this store belongs to the house \(mark.name.printable), and no daemon "
                + "serves it: start the daemon, then run this command again")
    }

    private func report(_ answer: String, of request: UserRequest) {
        print(answer.printableLines, terminator: "")
        if request != .list { print("changed the store in \(folder)".printable) }
    }
}

enum UserRequest: Equatable {
    case add(name: String, hash: String)
    case remove(String)
    case list

    /// Returns the text to print.
    func perform(on users: some ManagedUsers) throws -> String {
        switch self {
        case .add(let name, let hash):
            let isNew = try !users.names().contains { $0.isExactly(name) }
            try users.put(hash, for: name)
            return isNew ? "\(name) can sign in\n" : "\(name) has a new password\n"
        case .remove(let name):
            guard try users.remove(name) else { throw StartError("there is no user \(name)") }
            return "\(name) can't sign in any more\n"
        case .list: return try users.names().map { "\($0)\n" }.joined()
        }
    }
}

/// The users of a store. A change is on the disk when its method returns.
protocol ManagedUsers {
    func names() throws -> [String]
    func put(_ hash: String, for name: String) throws
    /// Returns false if there is no such user.
    func remove(_ name: String) throws -> Bool
}

/// The users of a store that a daemon serves.
struct ServedUsers: ManagedUsers {
    let client: ControlClient

    func names() throws -> [String] {
        let users = try client.get(BusUsers.address)["events"]?.elements.compactMap { $0["users"] }
            .first
        return users?["names"]?.elements.compactMap(\.text) ?? []
    }

    func put(_ hash: String, for name: String) throws {
        try send("addUser") { out in
            out.member("name", name)
            out.member("hash", hash)
        }
    }

    func remove(_ name: String) throws -> Bool {
        try send("removeUser") { $0.member("name", name) }["changed"]?.boolean == true
    }

    @discardableResult
    private func send(
        _ event: String, _ payload: @escaping (inout JSONWriter) -> Void
    ) throws -> JSONValue {
        try client.send({ $0.event(event, payload) }, to: BusUsers.address)
    }
}

/// The users of a store that no daemon serves. A change is an entry of the log, so a store of a
/// house can only be listed.
final class OfflineUsers: ManagedUsers {
    private let loop: Loop
    private let wakeup: Wakeup
    private let store: Store
    private let libraries: Libraries
    private let users: Library<User>
    private let timeout: Int32

    init(in folder: String, of daemon: StoreDaemon = .any, timeout: Int32) throws {
        loop = try Loop()
        wakeup = try Wakeup(loop: loop) {}
        let mark = try HouseMark(in: folder)
        store = try Store(
            folder: folder, durability: .full, of: daemon,
            whenDamaged: mark?.noteDamage(in: folder), wake: wakeup.signal)
        libraries = Libraries(
            log: store.log, clock: Timeline(now: max(.wallClock, store.content.lastTime)),
            content: store.content)
        users = Library<User>(libraries)
        self.timeout = timeout
        // Opening a store removes its drafts, so they are saved again.
        if !store.drafts.isEmpty { store.saveDrafts(store.drafts) }
        for finding in store.findings + libraries.open() { Maintenance.warn(finding) }
        try store.forgetContent()
    }

    func close() { store.close() }

    func names() -> [String] { users.names }

    func put(_ hash: String, for name: String) throws {
        try settle { users.propose(.setHash(hash), to: ExactText(name), then: $0) }
    }

    func remove(_ name: String) throws -> Bool {
        guard users.contains(ExactText(name)) else { return false }
        try settle { users.delete(ExactText(name), then: $0) }
        return true
    }

    private func settle(_ propose: (@escaping (ProposalOutcome<ExactText>) -> Void) -> Void) throws
    {
        var outcome: ProposalOutcome<ExactText>?
        propose { outcome = $0 }
        libraries.commit()
        let end = LoopTimer(loop: loop) {}
        end.arm(afterMicroseconds: 1_000 * Int64(widening: timeout))  // fits: 32 bits do
        while libraries.applyNext() == nil, end.isArmed { loop.turn(block: true) }
        switch outcome {
        case nil: throw StartError("storage does not answer: the outcome is unknown")
        case .refused: throw StartError("storage cannot write now: nothing has changed")
        case .applied, .noEffect: break
        }
    }
}
