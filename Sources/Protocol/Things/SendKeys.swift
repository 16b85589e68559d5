/// The key of a `send`, as things remember it: a hash of the address that it was sent to (16 bits)
/// and of the key (48 bits). Two keys of an address are taken for one once in 2^48 times.
public struct SendKey: Hashable, Sendable {
    public let bits: UInt64

    public init(bits: UInt64) { self.bits = bits }

    package init(_ key: String, at address: Address) {
        bits = Self.hash(address.text) << 48 | Self.hash(key) >> 16
    }

    fileprivate var address: UInt64 { bits >> 48 }

    /// FNV-1a, and a last round that spreads the bits. The same in each process and version,
    /// because hashes are stored.
    private static func hash(_ text: String) -> UInt64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in text.utf8 {
            hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3  // fits: it is wider
        }
        hash = (hash ^ hash >> 33) &* 0xff51_afd7_ed55_8ccd
        return hash ^ hash >> 33
    }
}

/// The newest keys of the sends to a thing, the oldest first: 1,024 of each address.
@usableFromInline struct SendKeys: Equatable {
    private static let mostOfAddress = 1_024

    private var all: [UInt64] = []

    var isEmpty: Bool { all.isEmpty }

    @usableFromInline func contains(_ key: SendKey) -> Bool { all.contains(key.bits) }

    @usableFromInline mutating func insert(_ key: SendKey) {
        all.append(key.bits)
        guard all.count > Self.mostOfAddress else { return }
        let isOfAddress = { (bits: UInt64) in SendKey(bits: bits).address == key.address }
        guard all.count(where: isOfAddress) > Self.mostOfAddress,
            let oldest = all.firstIndex(where: isOfAddress)
        else { return }
        all.remove(at: oldest)
    }

    // MARK: Bytes, eight for each key

    var bytes: [UInt8] {
        all.flatMap { bits in (0..<8).map { UInt8(truncatingIfNeeded: bits >> (8 * $0)) } }
    }

    /// `nil` unless the bytes are those of whole keys.
    init?(_ bytes: [UInt8]) {
        guard bytes.count.isMultiple(of: 8) else { return nil }
        all = stride(from: 0, to: bytes.count, by: 8).map { start in
            bytes[start..<(start + 8)].reversed().reduce(0) {
                $0 << 8 | UInt64($1)  // fits: it is wider
            }
        }
    }

    @usableFromInline init() {}
}
