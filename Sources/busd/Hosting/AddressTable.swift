import BusdBroker
import BusdProtocol

/// View models by address. There may be half a million, so the table has many parts: no part takes
/// long to grow.
struct AddressTable {
    private var parts = Array(repeating: [Address: ModelID](), count: 256)

    private func part(of address: Address) -> Int {
        address.hashValue & (parts.count - 1)  // text: addresses are ASCII
    }

    subscript(address: Address) -> ModelID? {
        get { parts[part(of: address)][address] }
        set { parts[part(of: address)][address] = newValue }
    }
}
