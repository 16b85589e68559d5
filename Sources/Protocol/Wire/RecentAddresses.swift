import Glibc

/// A cache of recently read addresses: reading one again allocates no text.
///
/// It has 256 places. Each holds the newest address with its hash.
struct RecentAddresses {
    private var addresses: [Address?] = []

    /// The address with these bytes, if it was read recently.
    func find(_ bytes: UnsafeRawBufferPointer) -> Address? {
        guard !addresses.isEmpty, let address = addresses[bytes.hashOfEnd] else { return nil }
        return address.text.withBytes { bytes.hasSameBytes(as: $0) } ? address : nil
    }

    mutating func keep(_ address: Address) {
        if addresses.isEmpty { addresses = Array(repeating: nil, count: 256) }
        addresses[address.text.withBytes { $0.hashOfEnd }] = address
    }
}

extension UnsafeRawBufferPointer {
    /// A hash of the last eight bytes, below 256. Busy addresses differ in these bytes.
    package var hashOfEnd: Int {
        let end =
            count < 8
            ? reduce(0) { $0 << 8 | UInt64($1) }  // fits: less than eight bytes
            : loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
        // The upper bits of the product depend on all bits of `end` (Fibonacci hashing).
        return Int(truncatingIfNeeded: (end &* 0x9E37_79B9_7F4A_7C15) >> 56)
    }
}

extension JSONDocument {
    /// The value as an address; `nil` if it is no text, or no address.
    func address(_ index: Int) -> Address? {
        let node = node(index)
        if node.kind == .text, !node.isEscaped {
            let known = withBytes(node.range) { recentAddresses.find($0) }
            if let known { return known }
        }
        guard let address = text(index).flatMap(Address.init) else { return nil }
        // Replaced, not changed, so that no access needs a check at run time.
        var addresses = recentAddresses
        recentAddresses = RecentAddresses()
        addresses.keep(address)
        recentAddresses = addresses
        return address
    }
}
