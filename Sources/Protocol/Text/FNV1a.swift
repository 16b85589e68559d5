/// FNV-1a, 64 bits: a hash that is the same in each process and version, because hashes are stored
/// and sent. It protects nothing: a peer finds collisions easily.
@usableFromInline package struct FNV1a {
    @usableFromInline package var value: UInt64 = 0xcbf2_9ce4_8422_2325

    @inlinable package init() {}

    @inlinable package init(_ bytes: some Sequence<UInt8>) { add(bytes) }

    @inlinable package mutating func add(_ byte: UInt8) {
        value = (value ^ UInt64(truncatingIfNeeded: byte)) &* 0x100_0000_01b3
    }

    @inlinable package mutating func add(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { add(byte) }
    }
}

/// Sixteen digits.
package func hexadecimal(_ bits: UInt64) -> String {
    let digits = String(bits, radix: 16)
    return String(repeating: "0", count: 16 - digits.utf8.count) + digits
}
