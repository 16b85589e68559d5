package import BusdProtocol

/// A house in Redis, for a daemon that starts, or for a command. All calls wait for Redis.
package struct HouseClient {
    /// How a starting daemon continues.
    package enum Opening {
        case follow
        /// The store must be replaced with the states of the house, as of the entry `covered`.
        case load(identity: String, states: [SavedState], covered: Int, time: Instant)
    }

    private let house: HouseName
    private let redis: RedisCaller
    private let kinds: [KindCheck]

    /// - Parameters:
    ///   - kinds: the kinds of this daemon, for the check of states that are loaded.
    ///   - seconds: how long all calls together may take.
    /// - Throws: `unreachable`; `refused` if no Redis there can hold a house.
    package init(
        _ house: HouseName, at access: RedisAccess, kinds: [KindCheck] = [], seconds: Int = 60
    ) throws(HouseError) {
        (self.house, self.kinds) = (house, kinds)
        redis = try access.connect(seconds: seconds)
    }

    /// For calls that need no functions in Redis.
    init(_ house: HouseName, _ redis: RedisCaller) {
        (self.house, self.redis, kinds) = (house, redis, [])
    }

    /// `nil` if there is no such house.
    private func look(_ position: Int) throws(HouseError) -> HouseView? {
        switch HouseSight(try redis.run(HouseFunctions.look(house, position))) {
        case .nothing: return nil
        case .damaged: throw .refused("the house \(house) in Redis is damaged")
        case .house(let view): return view
        }
    }

    /// The identity of the house; `nil` if there is no such house.
    package func identity() throws(HouseError) -> String? { try look(0)?.identity }

    /// A name of the current states of the house, or of its log if it has none.
    package func states() throws(HouseError) -> String? { try look(0)?.nameOfStates }

    /// The time of the house; `nil` if there is no such house.
    package func time() throws(HouseError) -> Instant? { try look(0)?.now }

    // MARK: Starting

    /// - Parameters:
    ///   - identity: the house that the store belongs to; `nil` if the store is empty.
    ///   - newest: the newest entry of the store.
    ///   - mustLoad: the store is damaged.
    package func open(
        identity: String?, position: Int, newest: LogEntry?, mustLoad: Bool = false
    ) throws(HouseError) -> Opening {
        guard let view = try look(position) else {
            throw .refused("the house \(house) is not in Redis: its keys were removed")
        }
        guard let identity else { return try load(view) }
        switch HouseNextStep(
            view, identity: identity, position: position, newest: newest, chain: nil)
        {
        case .load: return try load(view)
        case .follow: return mustLoad ? try load(view) : .follow
        case .wait(let reason): throw .refused(reason)
        }
    }

    /// Reads the states and proves that the entries behind them are there, to the newest one. So a
    /// daemon gives up its own content only for a whole house.
    func load(_ view: HouseView) throws(HouseError) -> Opening {
        var view = view
        for _ in 0..<3 {
            guard let (entry, chain) = view.beginning else { break }
            if let states = try states(of: view, asOf: entry) {
                try prove(from: entry, chain, to: view.newest)
                return .load(
                    identity: view.identity, states: states, covered: entry, time: view.time)
            }
            // Newer states may have replaced them meanwhile.
            guard let newer = try look(0) else { break }
            view = newer
        }
        throw .unusable("they are incomplete")
    }

    /// `nil` if a part is missing.
    private func states(of view: HouseView, asOf entry: Int) throws(HouseError) -> [SavedState]? {
        guard let current = view.states, current.entry == entry else { return [] }
        guard let states = try HouseStates.read(current.key, redis) else { return nil }
        if let problem = states.problem(asOf: entry, kinds: kinds) { throw .unusable(problem) }
        return states
    }

    func prove(from start: Int, _ chain: String, to end: Int) throws(HouseError) {
        var (position, chain) = (start, chain)
        while position < end {
            // So many entries of clients are never too large for a reply.
            let words = ["XRANGE", house.log, "(\(position)-0", "+", "COUNT", "16"]
            let entries = try redis.run(words, mostOfReply: RedisStream.mostOfEntries).list ?? []
            for value in entries {
                guard let entry = HouseEntry(value), entry.number == position + 1,
                    entry.follows(chain)
                else { throw .unusable("entry \(position + 1) is lost or damaged") }
                (position, chain) = (entry.number, entry.chain)
            }
            guard !entries.isEmpty else {
                throw .unusable("the entries behind \(position) are lost")
            }
        }
    }

    // MARK: Making a house

    /// Makes a house with these states, as of entry `number`.
    ///
    /// - Parameter replacesEmpty: whether to replace a house that never had an entry. Its daemons
    ///   load the states.
    /// - Returns: the identity of the house.
    /// - Throws: `refused` if there is a house of this name.
    package func found(
        _ states: [SavedState], number: Int, time: Instant, replacesEmpty: Bool = false
    ) throws(HouseError) -> String {
        let exists = HouseError.refused(
            "the house \(house) has content already: choose another name, or start the daemon with "
                + "an empty store to load that content")
        // Redis checks again when it makes the house: the states are written only if needed.
        if let old = try look(0), !replacesEmpty || old.newest > 0 || old.states != nil {
            throw exists
        }
        let identity = randomName()
        var key = ""
        // A house that begins after an entry needs states, even if they are empty.
        if !states.isEmpty || number > 0 {
            key = HouseStates.key(house, number)
            try HouseStates.write(states, to: key, redis)
        }
        let reply = try redis.run([
            "FCALL", "busd_2_found", "4", house.head, house.log, house.origins, house.digests,
            identity, "\(number)", "\(time.microseconds)", HouseEntry.firstChain, key,
            replacesEmpty ? "replace" : "",
        ])
        guard reply[0].string == "ok" else { throw exists }
        return identity
    }

    /// Replaces the house with these states, and returns its new identity. Daemons that followed
    /// the house with the former identity load the states.
    package func restore(
        _ states: [SavedState], number: Int, time: Instant, from formerIdentity: String
    ) throws(HouseError) -> String {
        let identity = randomName()
        let key = HouseStates.key(house, number)
        try HouseStates.write(states, to: key, redis)
        let reply = try redis.run([
            "FCALL", "busd_2_restore", "5", house.head, house.log, house.origins, house.digests,
            key, identity, "\(number)", "\(time.microseconds)", HouseEntry.firstChain,
            formerIdentity,
        ])
        guard reply[0].string == "ok" else {
            throw .refused("the states could not be published; try again")
        }
        return identity
    }
}

/// The states of all things of a house, as a list of portions in Redis. Each portion has whole
/// lines. The last portion ends with an empty line.
enum HouseStates {
    private static let portion = 64 << 10
    /// Seconds after which Redis removes states that were not made current.
    private static let life = "3600"

    static func key(_ house: HouseName, _ number: Int) -> String {
        house.key("states:\(number):\(randomName())")
    }

    /// The calls that append a portion.
    static func words(_ lines: [UInt8], to key: String) -> [[[UInt8]]] {
        [
            ["RPUSH", key].map { Array($0.utf8) } + [lines],
            ["EXPIRE", key, life].map { Array($0.utf8) },
        ]
    }

    static func write(
        _ states: [SavedState], to key: String, _ redis: RedisCaller
    ) throws(HouseError) {
        var lines: [UInt8] = []
        for state in states {
            guard let form = try? state.sharedForm else {
                throw .refused("\(state.kind) \(state.id) cannot be encoded")
            }
            lines += form + [.lineFeed]
            if lines.count >= portion { try push(&lines, to: key, redis) }
        }
        lines.append(.lineFeed)
        try push(&lines, to: key, redis)
    }

    private static func push(
        _ lines: inout [UInt8], to key: String, _ redis: RedisCaller
    ) throws(HouseError) {
        for words in words(lines, to: key) {
            if case .error(let text) = try redis.call(words) {
                throw .refused("Redis refuses: \(text)")
            }
        }
        lines = []
    }

    /// Bytes of memory of all states.
    private static let most = 96 << 20

    /// `nil` if a portion is missing.
    static func read(_ key: String, _ redis: RedisCaller) throws(HouseError) -> [SavedState]? {
        var states: [SavedState] = []
        var (index, size, isLast) = (0, 0, false)
        while !isLast {
            let words = ["LINDEX", key, "\(index)"]
            let reply = try redis.run(words, mostOfReply: RedisStream.mostOfStates)
            guard let portion = reply.bytes, !portion.isEmpty else { return nil }
            for line in portion.split(separator: .lineFeed) {
                let state = try state(line)
                size += 256 + state.id.utf8.count + state.summary.count + state.body.count
                size += state.keys.count
                guard size <= most else { throw .unusable("they have more than 96 MiB") }
                states.append(state)
            }
            isLast =
                portion.suffix(2) == [.lineFeed, .lineFeed]
                || portion == [.lineFeed]
            index += 1
        }
        return states
    }

    private static func state(_ line: ArraySlice<UInt8>) throws(HouseError) -> SavedState {
        do throws(WireError) {
            return try SavedState(sharedForm: Array(line))
        } catch {
            throw .unusable("a state cannot be read: \(error.message.clipped)")
        }
    }
}
