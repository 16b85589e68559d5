import BusdProtocol

/// View models by address. There may be half a million, so the table has many parts: no part takes
/// long to grow.
struct AddressTable {
    private var parts = Array(repeating: [Address: ModelID](), count: 256)

    private func part(of address: Address) -> Int {
        address.hashValue & (parts.count - 1)  // text: addresses are ASCII
    }

    func find(_ address: Address) -> ModelID? { parts[part(of: address)][address] }

    /// - Parameter id: `nil`: there is no view model at the address any more.
    mutating func set(_ id: ModelID?, at address: Address) {
        parts[part(of: address)][address] = id
    }
}
