/// The key of a `send`, as things remember it: a hash of the address that it was sent to (16 bits)
/// and of the key (48 bits). Two keys of one address collide with a probability of 2^-48.
public struct SendKey: Hashable, Sendable {
    /// The hash of the address in the upper 16 bits, the hash of the key in the others.
    public let bits: UInt64

    /// A key that was stored.
    public init(bits: UInt64) { self.bits = bits }

    package init(_ key: String, at address: Address) {
        bits = Self.hash(address.text) << 48 | Self.hash(key) >> 16
    }

    fileprivate var address: UInt64 { bits >> 48 }

    /// FNV-1a, and a last round that spreads the bits. It is the same in each process and version,
    /// because hashes are stored.
    private static func hash(_ text: String) -> UInt64 {
        var hash = FNV1a(text.utf8).value
        hash = (hash ^ hash >> 33) &* 0xff51_afd7_ed55_8ccd
        return hash ^ hash >> 33
    }
}

/// The newest keys of the sends to a thing, oldest first: at most 1,024 for each address, and about
/// 65,536 in all.
@usableFromInline struct SendKeys: Equatable {
    private static let mostOfAddress = 1_024
    private static let most = 65_536
    /// How many of too many keys are forgotten together, because that takes as long as for one.
    private static let forgottenTogether = 4_096
    /// Fewer keys are searched without an index.
    private static let fewestIndexed = 64

    private(set) var all: [UInt64] = []
    /// Made by `insert`, for many keys. It needs more memory than the keys.
    private var index: KeyIndex?

    var isEmpty: Bool { all.isEmpty }

    @usableFromInline func contains(_ key: SendKey) -> Bool {
        index?.keys.contains(key.bits) ?? all.contains(key.bits)
    }

    @usableFromInline mutating func insert(_ key: SendKey) {
        if index == nil, all.count >= Self.fewestIndexed { index = KeyIndex(all) }
        all.append(key.bits)
        if all.count >= Self.most + Self.forgottenTogether {
            all.removeFirst(Self.forgottenTogether)
            index = KeyIndex(all)
            return
        }
        guard index?.insert(key) ?? 0 > Self.mostOfAddress,
            let oldest = all.firstIndex(where: { SendKey(bits: $0).address == key.address })
        else { return }
        index?.remove(SendKey(bits: all.remove(at: oldest)))
    }

    /// The same keys in less memory.
    func withoutIndex() -> Self {
        var keys = self
        keys.index = nil
        return keys
    }

    @usableFromInline static func == (left: Self, right: Self) -> Bool { left.all == right.all }

    // MARK: Bytes, eight for each key

    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(8 * all.count)  // fits: an array has them
        for bits in all {
            for shift in stride(from: 0, to: 64, by: 8) {
                bytes.append(UInt8(truncatingIfNeeded: bits >> shift))
            }
        }
        return bytes
    }

    /// The most keys at any time.
    static let limit = most + forgottenTogether

    /// `nil` unless the bytes are a whole number of keys, and not too many.
    init?(_ bytes: [UInt8]) {
        guard bytes.count.isMultiple(of: 8), bytes.count / 8 <= Self.limit else { return nil }
        all = stride(from: 0, to: bytes.count, by: 8).map { start in
            bytes[start..<(start + 8)].reversed().reduce(0) {
                $0 << 8 | UInt64(widening: $1)
            }
        }
    }

    @usableFromInline init() {}
}

private struct KeyIndex {
    private(set) var keys: Set<UInt64>
    private var counts: [UInt64: Int] = [:]

    init(_ all: [UInt64]) {
        keys = Set(all)
        for bits in all { counts[SendKey(bits: bits).address, default: 0] += 1 }
    }

    /// - Returns: the number of keys of its address.
    mutating func insert(_ key: SendKey) -> Int {
        keys.insert(key.bits)
        counts[key.address, default: 0] += 1
        return counts[key.address, default: 0]
    }

    mutating func remove(_ key: SendKey) {
        keys.remove(key.bits)
        counts[key.address, default: 0] -= 1
    }
}
