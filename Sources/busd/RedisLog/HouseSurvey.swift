import BusdProtocol

/// Looks at the houses of a Redis, for a command. It loads no functions, and changes nothing but in
/// `remove`.
package struct HouseSurvey {
    /// A daemon of a house, from its last heartbeat.
    package struct Member {
        package let name: String
        package let position: Int
        /// Milliseconds since its last heartbeat.
        package let silence: Int

        package var isAlive: Bool { silence < 2_000 }
    }

    let redis: RedisCaller
    let settings: EngineSettings

    /// - Throws: `unreachable`.
    package init(_ access: RedisAccess) throws(HouseError) {
        (redis, settings) = try access.survey()
    }

    /// The daemons that have had a heartbeat within about a day, the newest heartbeat first.
    package func members(_ house: HouseName) throws(HouseError) -> [Member] {
        let clock = try redis.run(["TIME"])
        let offset = try redis.run(["HGET", house.head, "off"]).number ?? 0
        let rows = HouseTable.rows(try redis.run(["HGETALL", house.rows]))
        guard let seconds = clock[0].number, 0..<100_000_000_000 ~= seconds,
            let rest = clock[1].number
        else { throw .refused("Redis does not tell its time") }
        let now = seconds * 1_000_000 + rest + offset  // fits: see above, and both are bounded
        return rows.map { row in
            let silence = Int64(widening: now) - row.seen.microseconds  // fits: both are bounded
            return Member(
                name: row.name, position: row.position,
                silence: Int(widening: max(0, silence) / 1_000))
        }.sorted { $0.silence < $1.silence }
    }

    /// The look of a daemon at this position.
    func look(_ house: HouseName, _ position: Int) throws(HouseError) -> HouseSight {
        // The function sees one moment. Without it, no daemon appends either.
        if settings.hasFunctions {
            return HouseSight(try redis.run(HouseFunctions.look(house, position)))
        }
        let head = try redis.run(
            ["HMGET", house.head, "id", "n", "t", "c", "states", "below", "chain", "was"])
        let id = "\(position)-0"
        let entry = try redis.run(["XRANGE", house.log, id, id])[0]
        let oldest = try redis.run(["XRANGE", house.log, "-", "+", "COUNT", "1"])[0][0]
        let newest = try redis.run(["XREVRANGE", house.log, "+", "-", "COUNT", "1"])[0][0]
        let hasEnd = newest == .null || newest.streamNumber == head[1].number
        return HouseSight(
            .list([
                head, entry, oldest, try redis.run(["XLEN", house.log]),
                .number(hasEnd ? 1 : 0),
            ]))
    }

    /// The number of the newest entry in Redis; `nil` if there is no such house, or if it cannot be
    /// read.
    package func newest(_ house: HouseName) throws(HouseError) -> Int? {
        guard case .house(let view) = try look(house, 0) else { return nil }
        return view.newest
    }
}
