import BusdProtocol

/// A checksum over the values of a row. SQLite detects damage to the structure of
/// its file, but not to values.
struct Checksum {
    private var hash = FNV1a()

    var value: Int64 { Int64(bitPattern: hash.value) }

    mutating func add(_ bytes: some Collection<UInt8>) {
        add(bytes.count)
        hash.add(bytes)
    }

    mutating func add(_ number: Int) {
        var rest = UInt64(bitPattern: Int64(widening: number))
        for _ in 0..<8 {
            hash.add(UInt8(truncatingIfNeeded: rest))
            rest >>= 8
        }
    }
}

extension Sequence<SQLValue> {
    func checksum() -> SQLValue {
        var checksum = Checksum()
        for value in self {
            switch value {
            case .integer(let number): checksum.add(Int(widening: number))
            case .text(let text): checksum.add(text.utf8)
            case .blob(let bytes): checksum.add(bytes)
            case .null: checksum.add(-1)
            }
        }
        return .integer(checksum.value)
    }
}

extension Collection<SQLValue> where Self: BidirectionalCollection {
    /// The last value is the checksum of the others.
    var isWhole: Bool { last == dropLast().checksum() }

    var withChecksum: [SQLValue] { Array(self) + [checksum()] }
}
