import BusdFiles
import BusdOptions
import BusdProtocol
import BusdRedisLog
import BusdStorage

/// `busd house`. `join`, `leave` and `restore` are for a store that no daemon uses; `status` is for
/// any store, and `list` and `remove` for a Redis.
struct HouseCommand {
    private enum Action {
        case join(HouseName, RedisAccess)
        case leave
        case restore(RedisAccess)
        case status(RedisAccess?)
        case list(RedisAccess)
        case remove(HouseName, RedisAccess)
    }

    private let action: Action
    let storeDaemon: StoreDaemon
    var daemon: DaemonName { storeDaemon.name }
    let confirmation: Confirmation

    init(
        _ arguments: Arguments, _ options: DaemonOptions, _ storeDaemon: StoreDaemon
    ) throws(UsageError) {
        self.storeDaemon = storeDaemon
        let (word, name) = (arguments.operands[0], arguments.operands.dropFirst().first)
        func address() throws(UsageError) -> RedisAccess {
            guard let redis = try options.redis(arguments) else {
                throw arguments.error("add --log, the Redis that has the log of the house")
            }
            return redis
        }
        func house(_ name: String) throws(UsageError) -> HouseName {
            if let house = HouseName(name, of: options.daemon) { return house }
            throw arguments.error("a name has 1 to 32 letters, digits, dashes and dots")
        }
        switch (word, name) {
        case ("join", let name?): action = .join(try house(name), try address())
        case ("remove", let name?): action = .remove(try house(name), try address())
        case ("join", nil), ("remove", nil): throw arguments.error("missing NAME")
        case ("leave", nil): action = .leave
        case ("restore", nil): action = .restore(try address())
        case ("status", nil): action = .status(arguments.has(options.log) ? try address() : nil)
        case ("list", nil): action = .list(try address())
        case ("leave", _), ("restore", _), ("status", _), ("list", _):
            throw arguments.error("\(word) takes no NAME")
        default:
            throw arguments.error("ACTION must be join, leave, restore, status, list or remove")
        }
        confirmation = Confirmation(isGiven: arguments.has(Confirmation.option))
        try checkUse(word, arguments, options)
    }

    private func checkUse(
        _ word: String, _ arguments: Arguments, _ options: DaemonOptions
    ) throws(UsageError) {
        let unused: [Option] =
            switch action {
            case .restore: []
            case .join, .status: [Confirmation.option]
            case .leave: [Confirmation.option, options.log]
            case .list: [Confirmation.option, options.state]
            case .remove: [options.state]
            }
        if let option = unused.first(where: arguments.has) {
            throw arguments.error("\(word) does not use --\(option.name)")
        }
    }

    /// - Parameter maintenance: finds the store, for the actions that need one.
    func run(_ maintenance: () throws -> Maintenance) throws {
        switch action {
        case .list(let address): try list(address)
        case .remove(let house, let address): try remove(house, at: address)
        case .status(let address): try showStatus(of: maintenance(), address)
        case .join, .leave, .restore: try run(maintenance())
        }
    }

    private func run(_ maintenance: Maintenance) throws {
        let (folder, owner) = (maintenance.folder, maintenance.owner)
        do {
            print(try perform(in: folder, owner).printable)
        } catch let error as StoreError {
            guard case .inUse = error else { throw error }
            throw StartError("\(error): stop the daemon and add --state \(folder)")
        }
    }

    // The owner of the store may not be in the group of Redis' socket. So the caller connects, and
    // the owner does everything with files.

    private func perform(in folder: String, _ owner: FolderOwner) throws -> String {
        switch action {
        case .join(let house, let address):
            try owner.act { try requireNoHouse(folder) }
            let client = try HouseClient(house, at: address)
            return try owner.act { try join(house, of: client, at: address, folder) }
        case .leave: return try owner.act { try leave(folder) }
        case .restore(let address):
            let (house, mark, position) = try owner.act { try soundStore(folder) }
            let client = try HouseClient(house, at: address)
            try confirmRestore(house, at: address, position)
            return try owner.act { try restore(house, from: mark, of: client, folder) }
        case .status, .list, .remove: return ""
        }
    }

    /// The states of a store, as of its newest entry.
    private func rest(
        _ folder: String, _ mark: HouseMark? = nil
    ) throws -> (LogContent, Store) {
        guard try Store.exists(folder: folder, of: storeDaemon) else {
            throw StartError("\(folder): there is no store; start \(daemon) with --house instead")
        }
        let store = try Store(
            folder: folder, durability: .full, of: storeDaemon,
            whenDamaged: mark?.noteDamage(in: folder)
        ) {}
        guard store.findings.isEmpty, store.content.entries.isEmpty, store.content.reader == nil
        else {
            throw StartError(
                "\(folder): the daemon did not stop as planned: start it once and stop it")
        }
        return (store.content, store)
    }

    private func requireNoHouse(_ folder: String) throws {
        if let mark = try HouseMark(in: folder) {
            throw StartError("\(folder): this store belongs to the house \(mark.name) already")
        }
    }

    private func join(
        _ house: HouseName, of client: HouseClient, at address: RedisAccess, _ folder: String
    ) throws -> String {
        let (content, store) = try rest(folder)
        defer { store.close() }
        let identity = try client.found(
            content.states, number: content.lastNumber, time: content.lastTime,
            replacesEmpty: true)
        try HouseMark(house, identity: identity).write(in: folder)
        return
            "the house \(house) has the content of \(folder): start \(daemon) with "
            + "--house \(house) --log \(address)"
            + (address.pathOfCredentials.map { " --log-credentials \($0)" } ?? "")
    }

    /// - Throws: if there is no store, or if it belongs to no house.
    func mark(of folder: String) throws -> HouseMark {
        guard try Store.exists(folder: folder, of: storeDaemon) else {
            throw StartError("\(folder): there is no store: name its folder with --state")
        }
        guard let mark = try HouseMark(in: folder) else {
            throw StartError("\(folder): this store belongs to no house")
        }
        return mark
    }

    private func leave(_ folder: String) throws -> String {
        let mark = try mark(of: folder)
        let store = try Store(folder: folder, durability: .full, of: storeDaemon) {}
        defer { store.close() }
        try HouseMark.remove(in: folder)
        return "\(folder) has left the house \(mark.name), and keeps its content"
    }

    // MARK: Restoring

    /// The house of a store that has its own whole content.
    private func soundStore(
        _ folder: String
    ) throws -> (house: HouseName, mark: HouseMark, position: Int) {
        let mark = try mark(of: folder)
        guard let house = HouseName(mark.name, of: daemon) else {
            throw StartError("\(folder)/house is damaged")
        }
        let reading = try Store.read(folder: folder, of: storeDaemon)
        guard reading.findings.isEmpty, !mark.mustLoad else {
            throw StartError(
                "\(folder): the store is damaged, or differs from the house: run "
                    + "\(daemon) house restore on another daemon")
        }
        return (house, mark, reading.position)
    }

    private func confirmRestore(
        _ house: HouseName, at address: RedisAccess, _ position: Int
    ) throws {
        let survey = try HouseSurvey(address)
        var others = try survey.members(house).filter { $0.position > position }
            .map { "\($0.name.printable) has entry \($0.position)" }
        if let newest = try survey.newest(house), newest > position {
            others.append("Redis has entry \(newest)")
        }
        guard !others.isEmpty else { return }
        try confirmation.ask(
            "\(others.joined(separator: ", ")), but this store ends with entry \(position): replace "
                + "the house \(house) with this store?")
    }

    private func restore(
        _ house: HouseName, from mark: HouseMark, of client: HouseClient, _ folder: String
    ) throws -> String {
        let (content, store) = try rest(folder, mark)
        defer { store.close() }
        let identity = try client.restore(
            content.states, number: content.lastNumber, time: content.lastTime,
            from: mark.identity)
        try HouseMark(house, identity: identity).write(in: folder)
        return "the house \(house) now has the states of \(folder), as of entry "
            + "\(content.lastNumber); the other daemons load them"
    }
}
