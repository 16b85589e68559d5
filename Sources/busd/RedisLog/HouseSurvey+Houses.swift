package import BusdProtocol

// The houses of a Redis: their list, and the end of one.

extension HouseSurvey {
    package struct Summary {
        package let house: HouseName
        /// The number of the newest entry; `nil`: the head of the house is damaged or lost.
        package let position: Int?
        /// The things in the current states, and the entry that these are as of; `nil`: there are
        /// no states.
        package let things: (count: Int, entry: Int)?
        /// The memory that Redis uses for the house; `nil` if Redis does not tell.
        package let bytes: Int?
        package let members: [Member]
    }

    private static let mostHouses = 1_000

    /// The houses of daemons with this name, by name. Other keys of a similar form are left out.
    ///
    /// - Throws: `refused` if there are more than a thousand.
    package func houses(of daemon: DaemonName) throws(HouseError) -> [HouseName] {
        var names: [HouseName] = []
        try scan("\(daemon):*:head") { (keys) throws(HouseError) in
            for key in keys {
                guard let house = HouseName(head: key, of: daemon) else { continue }
                // Redis may return a key twice.
                if !names.contains(house) { names.append(house) }
                guard names.count <= Self.mostHouses else {
                    throw .refused("this Redis has more than \(Self.mostHouses) houses")
                }
            }
        }
        return names.sorted { $0.description < $1.description }
    }

    /// `nil` if Redis has no key of this house.
    package func summary(_ house: HouseName) throws(HouseError) -> Summary? {
        let keys = try keys(of: house)
        guard !keys.isEmpty else { return nil }
        var view: HouseView?
        if case .house(let seen) = try look(house, 0) { view = seen }
        var things: (count: Int, entry: Int)?
        if let states = view?.states, let count = try HouseStates.count(states.key, redis) {
            things = (count, states.entry)
        }
        return Summary(
            house: house, position: view?.newest, things: things, bytes: try bytes(of: keys),
            members: try members(house))
    }

    /// Removes all keys of a house. A reader sees either the log with its head, or neither.
    package func remove(_ house: HouseName) throws(HouseError) {
        _ = try redis.run(
            ["UNLINK", house.head, house.log, house.rows, house.origins, house.digests])
        for key in try keys(of: house) { _ = try redis.run(["UNLINK", key]) }
    }

    /// `*` matches any text, but the name of a house has no colon.
    private func keys(of house: HouseName) throws(HouseError) -> [String] {
        var all: [String] = []
        try scan(house.key("*")) { (keys) throws(HouseError) in all += keys }
        return all
    }

    private func bytes(of keys: [String]) throws(HouseError) -> Int? {
        var sum = 0
        for key in keys {
            let reply = try redis.call(["MEMORY", "USAGE", key])
            if reply == .null { continue }
            guard let bytes = reply.number else { return nil }
            sum = min(sum + bytes, Limits.largestInteger)  // fits: numbers of a peer are bounded
        }
        return sum
    }

    private func scan(
        _ pattern: String, _ body: ([String]) throws(HouseError) -> Void
    ) throws(HouseError) {
        var cursor = "0"
        repeat {
            let reply = try redis.run(["SCAN", cursor, "MATCH", pattern, "COUNT", "1000"])
            guard let next = reply[0].string, let keys = reply[1].list else {
                throw .refused("Redis does not list its keys")
            }
            cursor = next
            try body(keys.compactMap(\.string))
        } while !cursor.isExactly("0")
    }
}

extension HouseName {
    /// `nil` unless it is the key of the head of a house.
    fileprivate init?(head key: String, of daemon: DaemonName) {
        let parts = key.utf8.split(
            separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].elementsEqual(daemon.text.utf8),
            parts[2].elementsEqual("head".utf8)
        else { return nil }
        self.init(String(Substring(parts[1])), of: daemon)
    }
}

extension HouseStates {
    /// The number of things; `nil` if the states are lost. Reads all of them. A state without an id
    /// is that of a library.
    fileprivate static func count(
        _ key: String, _ redis: RedisCaller
    ) throws(HouseError) -> Int? {
        var (count, index) = (0, 0)
        while let portion = try redis.run(["LINDEX", key, "\(index)"]).bytes {
            for line in portion.split(separator: .lineFeed) {
                guard let state = try? SavedState(sharedForm: Array(line)) else { continue }
                count += state.id.isEmpty ? 0 : 1
            }
            index += 1
        }
        return index > 0 ? count : nil
    }
}
