import Glibc

/// Addresses that were read recently, so that reading one again makes no text.
///
/// Each address has one of 64 places, which holds the last one that was read.
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

    /// A hash of the length and the last byte, which differ between busy addresses.
    private static func place(of bytes: UnsafeRawBufferPointer) -> Int {
        guard let last = bytes.last else { return 0 }
        return (bytes.count &* 11 ^ Int(widening: last)) & 63
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
    /// A text as an address; `nil` if the value is not one.
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
