import BusdBroker
import BusdProtocol

/// View models of recent lookups. Most lookups repeat: a game has six players and a scoreboard.
///
/// Each address has one of 256 places, which holds the last lookup. A lookup compares one address;
/// `AddressTable` must hash the whole address.
struct RecentlyFound {
    private var ids: [ModelID?] = []

    /// A candidate: it may have ended, or have another address with the same place.
    subscript(address: Address) -> ModelID? {
        get { ids.isEmpty ? nil : ids[address.text.withBytes { $0.hashOfEnd }] }
        set {
            if ids.isEmpty { ids = Array(repeating: nil, count: 256) }
            ids[address.text.withBytes { $0.hashOfEnd }] = newValue
        }
    }
}
