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
        get { ids.isEmpty ? nil : ids[Self.place(of: address)] }
        set {
            if ids.isEmpty { ids = Array(repeating: nil, count: 256) }
            ids[Self.place(of: address)] = newValue
        }
    }

    /// A hash of the last eight bytes of the address, which differ between busy addresses.
    private static func place(of address: Address) -> Int {
        let end = address.text.withBytes { text in
            text.count < 8
                ? text.reduce(0) { $0 << 8 | UInt64($1) }  // fits: less than eight bytes
                : text.loadUnaligned(fromByteOffset: text.count - 8, as: UInt64.self)
        }
        // The upper bits of the product depend on all bits of `end` (Fibonacci hashing).
        return Int(truncatingIfNeeded: (end &* 0x9E37_79B9_7F4A_7C15) >> 56)
    }
}
