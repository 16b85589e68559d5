/// A number that a row carries so that damage shows: FNV-1a, 64 bits, over what the row says.
/// SQLite itself notices damage to the structure of its file, not to the values.
struct Seal {
    private var hash: UInt64 = 0xcbf2_9ce4_8422_2325

    var value: Int64 { Int64(bitPattern: hash) }

    mutating func add(_ bytes: some Collection<UInt8>) {
        add(bytes.count)
        for byte in bytes { add(byte) }
    }

    mutating func add(_ number: Int) {
        var rest = UInt64(bitPattern: Int64(number))  // fits: both have 64 bits
        for _ in 0..<8 {
            add(UInt8(truncatingIfNeeded: rest))
            rest >>= 8
        }
    }

    private mutating func add(_ byte: UInt8) {
        hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3  // fits: a byte does
    }
}
