package import BusdProtocol

/// The parameters of a daemon that follows a house.
package struct HouseStart: Sendable {
    package var house: HouseName
    package var redis: RedisAccess
    /// The identity of the house that the daemon's store belongs to.
    package var identity: String
    /// The daemon's name and version, for the table.
    package var member: String
    package var version: String
    /// The daemon's own store is damaged, so the states of the house must be loaded.
    package var mustLoad = false
    /// The states that this start has loaded, or could not load. `nil` if it has tried none.
    package var triedStates: String?
    /// Why they were not loaded.
    package var loadProblem: String?
    /// The time of the house, if Redis has told it.
    package var time: Instant?
    /// Microseconds after which an entry is given up that has not come back from Redis.
    package var longestWait: Int64 = 1_000_000

    package init(
        _ house: HouseName, at redis: RedisAccess, identity: String, member: String,
        version: String
    ) {
        (self.house, self.redis, self.identity) = (house, redis, identity)
        (self.member, self.version) = (member, version)
    }
}
