import Glibc

/// A cache of recently read addresses: reading one again allocates no text.
///
/// It has 64 places. Each holds the newest address with its hash.
struct RecentAddresses {
    private var addresses: [Address?] = []

    /// The address with these bytes, if it was read recently.
    func find(_ bytes: UnsafeRawBufferPointer) -> Address? {
        guard !addresses.isEmpty, let address = addresses[Self.place(of: bytes)] else { return nil }
        return address.text.withBytes { bytes.hasSameBytes(as: $0) } ? address : nil
    }

    mutating func keep(_ address: Address) {
        if addresses.isEmpty { addresses = Array(repeating: nil, count: 64) }
        addresses[address.text.withBytes(Self.place)] = address
    }

    /// A hash of the length and of two bytes, which differ between busy addresses such as
    /// `scoreboard/1/home/2` and `scoreboard/1/away/2`.
    private static func place(of bytes: UnsafeRawBufferPointer) -> Int {
        guard let last = bytes.last else { return 0 }
        let other = bytes[max(0, bytes.count - 4)]
        return (bytes.count &* 11 ^ Int(widening: last) ^ Int(widening: other) &* 5) & 63
    }
}

extension UnsafeRawBufferPointer {
    fileprivate func hasSameBytes(as other: UnsafeRawBufferPointer) -> Bool {
        guard count == other.count, let own = baseAddress, let others = other.baseAddress else {
            return false
        }
        return memcmp(own, others, count) == 0
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
