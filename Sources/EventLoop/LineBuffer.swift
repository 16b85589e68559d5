/// Collects bytes as they arrive, and splits them into lines.
package struct LineBuffer {
    private let longest: Int
    private var bytes: [UInt8] = []
    /// Where the next line begins.
    private var start = 0
    /// There is no line feed between `start` and this place.
    private var searched = 0
    private var chunk = [UInt8](repeating: 0, count: 65_536)

    package init(longest: Int) { self.longest = longest }

    /// The unfinished line is longer than allowed.
    package var isTooLong: Bool { bytes.count - start > longest }

    /// Appends the bytes of one call of `read`.
    package mutating func fill(_ read: (UnsafeMutableRawBufferPointer) -> Transfer) -> Transfer {
        let transfer = chunk.withUnsafeMutableBytes(read)
        if case .bytes(let count) = transfer {
            dropRead()
            bytes += chunk.prefix(count)
        }
        return transfer
    }

    /// The next whole line, without its line feed.
    package mutating func next() -> ArraySlice<UInt8>? {
        guard let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) else {
            searched = bytes.count
            return nil
        }
        defer {
            start = end + 1
            searched = start
        }
        return bytes[start..<end]
    }

    private mutating func dropRead() {
        bytes.removeFirst(start)
        searched -= start
        start = 0
    }
}
