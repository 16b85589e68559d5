import BusdProtocol

/// View models of recent lookups. Most lookups repeat: a game has six players and a scoreboard.
///
/// Each address has one of 256 places, which holds the last lookup. A lookup compares one address;
/// `AddressTable` must hash the whole address.
struct RecentlyFound {
    private var ids: [ModelID?] = Array(repeating: nil, count: 256)

    private func place(of address: Address) -> Int { address.text.withBytes { $0.hashOfEnd } }

    /// A candidate: it may have ended, or have another address with the same place.
    func candidate(_ address: Address) -> ModelID? { ids[place(of: address)] }

    mutating func note(_ id: ModelID, at address: Address) { ids[place(of: address)] = id }
}
