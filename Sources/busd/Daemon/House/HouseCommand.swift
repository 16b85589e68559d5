import BusdOptions
import BusdProtocol
import BusdRedisLog
import BusdStorage

/// `busd house join NAME`, `busd house leave` and `busd house restore`, for a store that no daemon
/// uses.
struct HouseCommand {
    private enum Action {
        case join(HouseName, RedisAddress)
        case leave
        case restore(RedisAddress)
    }

    private let action: Action

    init(_ arguments: Arguments, _ options: DaemonOptions) throws(UsageError) {
        let (word, name) = (arguments.operands[0], arguments.operands.dropFirst().first)
        func address() throws(UsageError) -> RedisAddress {
            guard let text = arguments[options.log] else {
                throw arguments.error("add --log, the Redis that has the log of the house")
            }
            guard let address = RedisAddress(text) else {
                throw arguments.error("--log: give unix:/PATH or tcp:HOST:PORT")
            }
            return address
        }
        switch (word, name) {
        case ("join", let name?):
            guard let house = HouseName(name) else {
                throw arguments.error("a name has 1 to 32 letters, digits, dashes and dots")
            }
            action = .join(house, try address())
        case ("join", nil): throw arguments.error("missing NAME")
        case ("leave", nil): action = .leave
        case ("restore", nil): action = .restore(try address())
        case ("leave", _), ("restore", _): throw arguments.error("\(word) takes no NAME")
        default: throw arguments.error("ACTION must be join, leave or restore")
        }
    }

    func run(_ maintenance: Maintenance) throws {
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

    private func perform(in folder: String, _ owner: StoreOwner) throws -> String {
        switch action {
        case .join(let house, let address):
            try owner.act { try requireNoHouse(folder) }
            let client = try HouseClient(house, at: address)
            return try owner.act { try join(house, of: client, at: address, folder) }
        case .leave: return try owner.act { try leave(folder) }
        case .restore(let address):
            let (house, identity) = try owner.act { try self.house(of: folder) }
            let client = try HouseClient(house, at: address)
            return try owner.act { try restore(house, from: identity, of: client, folder) }
        }
    }

    /// The states of a store, as of its newest entry.
    private func rest(_ folder: String) throws -> (LogContent, Store) {
        guard try Store.exists(folder: folder) else {
            throw StartError("\(folder): there is no store; start busd with --house instead")
        }
        let store = try Store(folder: folder, durability: .full, kinds: .ofBusd) {}
        guard store.findings.isEmpty, store.content.entries.isEmpty else {
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
        _ house: HouseName, of client: HouseClient, at address: RedisAddress, _ folder: String
    ) throws -> String {
        let (content, store) = try rest(folder)
        defer { store.close() }
        let identity = try client.found(
            content.states, number: content.lastNumber, time: content.lastTime,
            replacesEmpty: true)
        try HouseMark(house, identity: identity).write(in: folder)
        return
            "the house \(house) has the content of \(folder): start busd with "
            + "--house \(house) --log \(address)"
    }

    private func leave(_ folder: String) throws -> String {
        guard let mark = try HouseMark(in: folder) else {
            throw StartError("\(folder): this store belongs to no house")
        }
        let store = try Store(folder: folder, durability: .full, kinds: .ofBusd) {}
        defer { store.close() }
        try HouseMark.remove(in: folder)
        return "\(folder) has left the house \(mark.name), and keeps its content"
    }

    private func house(of folder: String) throws -> (HouseName, identity: String) {
        guard let mark = try HouseMark(in: folder), let house = HouseName(mark.name) else {
            throw StartError("\(folder): this store belongs to no house")
        }
        return (house, mark.identity)
    }

    private func restore(
        _ house: HouseName, from formerIdentity: String, of client: HouseClient, _ folder: String
    ) throws -> String {
        let (content, store) = try rest(folder)
        defer { store.close() }
        let identity = try client.restore(
            content.states, number: content.lastNumber, time: content.lastTime,
            from: formerIdentity)
        try HouseMark(house, identity: identity).write(in: folder)
        return "the house \(house) now has the states of \(folder), as of entry "
            + "\(content.lastNumber); the other daemons load them"
    }
}
