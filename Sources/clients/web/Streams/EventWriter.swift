/// Writes lines as server-sent events: `data: ` before each line, and an empty line after it.
///
/// It takes lines in any pieces, and keeps only whether a line has begun. Empty lines are left out:
/// they would end an event that has no data.
struct EventWriter {
    private var isBetweenLines = true

    /// The longest input whose events fit into so many bytes. The shortest line, one character,
    /// gets four times as long; a piece that ends within a line gets two more bytes.
    static func mostInput(for room: Int) -> Int { max(0, (room - 2) / 4) }

    /// Writes a piece of input that is at most `mostInput` long, and returns the number of bytes.
    mutating func write(
        _ input: some Collection<UInt8>, to output: UnsafeMutableRawBufferPointer
    ) -> Int {
        var count = 0
        func put(_ byte: UInt8) {
            output[count] = byte
            count += 1
        }
        for byte in input {
            let isEnd = byte == UInt8(ascii: "\n")
            if isBetweenLines {
                if isEnd { continue }
                for byte in "data:".utf8 { put(byte) }
            }
            put(byte)
            if isEnd { put(byte) }
            isBetweenLines = isEnd
        }
        return count
    }
}
