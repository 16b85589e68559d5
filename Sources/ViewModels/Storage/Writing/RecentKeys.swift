import BusdProtocol

/// What is known of the keys that stand in the order in which they came, and not yet with those of
/// their address.
struct RecentKeys {
    /// The place of the last one, which is how many there are.
    var count = 0
    /// The places of those of which the seal is broken.
    var broken: [Int] = []
    /// The number of the last key of each address that has one among them.
    var last: [Address: Int] = [:]
}
