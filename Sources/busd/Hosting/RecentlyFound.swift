import BusdBroker
import BusdProtocol

/// View models of recent lookups. Most lookups repeat: a game has six players and a scoreboard.
///
/// An address has one of 256 places, which holds the last lookup. A lookup compares once; the table
/// of all needs a hash of the whole address.
struct RecentlyFound {
    private var ids: [ModelID?] = []

    /// What may be at the address: it may have gone, or be at another one with the same place.
    subscript(address: Address) -> ModelID? {
        get { ids.isEmpty ? nil : ids[Self.place(of: address)] }
        set {
            if ids.isEmpty { ids = Array(repeating: nil, count: 256) }
            ids[Self.place(of: address)] = newValue
        }
    }

    /// By the last eight bytes of the address: they are what tells those that are busy apart.
    private static func place(of address: Address) -> Int {
        let end = address.text.withBytes { text in
            text.count < 8
                ? text.reduce(0) { $0 << 8 | UInt64($1) }  // fits: less than eight bytes
                : text.loadUnaligned(fromByteOffset: text.count - 8, as: UInt64.self)
        }
        // The upper bits of such a product depend on all of it (Fibonacci hashing).
        return Int(truncatingIfNeeded: (end &* 0x9E37_79B9_7F4A_7C15) >> 56)
    }
}
