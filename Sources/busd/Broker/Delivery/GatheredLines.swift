/// A buffer for lines that are not contiguous in the log, so that one write takes them all.
/// Consecutive connections often have the same lines, which are then copied once.
struct GatheredLines {
    private var ranges = LineRanges()
    private var bytes: [UInt8] = []

    /// - Parameter log: the same log in all calls until `removeAll`.
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
        // The memory of a turn of unusual size is freed.
        bytes.removeAll(keepingCapacity: bytes.count < 1 << 16)
    }
}
