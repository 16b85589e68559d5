import Protocol

/// What a peer has sent and nobody has handled yet: whole lines, and the beginning of the next.
struct InputBuffer {
    enum Line: Equatable {
        case text([UInt8])
        case tooLong
    }

    private var bytes: [UInt8] = []
    private var start = 0
    /// There is no LF before this place.
    private var scanned = 0
    /// A line that was too long is passed over up to its LF.
    private var isSkipping = false
    private var hasEnded = false

    /// Bytes that wait.
    var count: Int { bytes.count - start }

    mutating func append(_ more: UnsafeRawBufferPointer) { bytes.append(contentsOf: more) }

    /// No more will come: what is left counts as a line.
    mutating func end() { hasEnded = true }

    /// The next line without its LF and the CR before it; `nil` while there is none.
    mutating func nextLine(longest: Int) -> Line? {
        while true {
            guard let end = bytes[scanned...].firstIndex(of: UInt8(ascii: "\n")) else {
                return unfinishedLine(longest: longest)
            }
            let line = withoutReturn(bytes[start..<end])
            start = end + 1
            scanned = start
            let wasSkipped = isSkipping
            isSkipping = false
            guard !wasSkipped else { continue }
            let result = line.count > longest ? Line.tooLong : .text(Array(line))
            tidy()
            return result
        }
    }

    private mutating func unfinishedLine(longest: Int) -> Line? {
        scanned = bytes.count
        let rest = bytes[start...]
        if isSkipping {
            discard()
            return nil
        }
        // A CR at the end may be one that does not count.
        if withoutReturn(rest).count > longest {
            isSkipping = !hasEnded
            discard()
            return .tooLong
        }
        guard hasEnded, !rest.isEmpty else {
            tidy()
            return nil
        }
        let line = Array(withoutReturn(rest))
        discard()
        return .text(line)
    }

    private func withoutReturn(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        line.last == UInt8(ascii: "\r") ? line.dropLast() : line
    }

    private mutating func discard() {
        bytes = []
        start = 0
        scanned = 0
    }

    /// An empty buffer holds no memory; a full one moves its bytes no more often than they come.
    private mutating func tidy() {
        if start == bytes.count {
            discard()
        } else if start > bytes.count / 2 {
            bytes.removeFirst(start)
            scanned -= start
            start = 0
        }
    }
}
