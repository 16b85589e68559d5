/// Bytes of lines that are not contiguous, in one piece. Consecutive connections often have the
/// same lines, which are then gathered once.
struct GatheredLines {
    private var ranges = LineRanges()
    private var bytes: [UInt8] = []

    /// - Parameter log: the same for all that is asked until `removeAll`.
    mutating func withBytes<Result>(
        of ranges: LineRanges, in log: borrowing TurnLog,
        _ body: (UnsafeRawBufferPointer) -> Result
    ) -> Result {
        if ranges != self.ranges {
            bytes.removeAll(keepingCapacity: true)
            ranges.forEach { lines in
                log.withBytes(of: lines) { bytes.append(contentsOf: $0) }
            }
            self.ranges = ranges
        }
        return bytes.withUnsafeBytes(body)
    }

    mutating func removeAll() {
        ranges.removeAll()
        // A turn of an unusual size gives its memory back.
        bytes.removeAll(keepingCapacity: bytes.count < 1 << 16)
    }
}
