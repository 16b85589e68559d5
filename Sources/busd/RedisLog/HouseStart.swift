/// What a daemon needs to follow a house.
package struct HouseStart: Sendable {
    package var house: HouseName
    package var address: RedisAddress
    /// Of the log that the daemon's store belongs to.
    package var identity: String
    /// The daemon's name and version, for the table.
    package var member: String
    package var version: String
    /// The store was replaced by the states of the house just now.
    package var hasLoaded = false

    package init(
        _ house: HouseName, at address: RedisAddress, identity: String, member: String,
        version: String
    ) {
        (self.house, self.address, self.identity) = (house, address, identity)
        (self.member, self.version) = (member, version)
    }
}
