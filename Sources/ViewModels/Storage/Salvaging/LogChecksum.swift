/// The sum that each frame of a write-ahead log has over itself and all before it.
struct LogChecksum {
    let isBigEndian: Bool
    private var first: UInt32 = 0
    private var second: UInt32 = 0

    /// Whether it takes the bytes for numbers with the high byte first.
    init(isBigEndian: Bool) { self.isBigEndian = isBigEndian }

    /// As the two stand in a file.
    var value: Int {
        Int(truncatingIfNeeded: UInt64(first) << 32 | UInt64(second))  // fits: 32 bits do
    }

    /// Eight bytes at a time; what is left over does not count.
    mutating func add(_ bytes: ArraySlice<UInt8>) {
        bytes.withUnsafeBytes { bytes in
            for place in stride(from: 0, to: bytes.count - 7, by: 8) {
                first &+= word(bytes, place) &+ second
                second &+= word(bytes, place + 4) &+ first
            }
        }
    }

    private func word(_ bytes: UnsafeRawBufferPointer, _ place: Int) -> UInt32 {
        let word = bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self)
        return isBigEndian ? UInt32(bigEndian: word) : UInt32(littleEndian: word)
    }
}
