import BusdProtocol

/// One of the two parts of a turn log: lines, contiguous in one buffer, each with a number.
struct LogPart {
    private struct Line {
        /// Offset in `bytes` of its end.
        let end: Int
        let origin: LineOrigin
    }

    /// First number of the part for lines that one connection gets.
    static let firstOwn = 1 << 40

    /// The number of its first line. It differs between the parts, so a number shows the part of a
    /// line.
    let first: Int
    private(set) var bytes: [UInt8] = []
    private var lines: [Line] = []

    init(first: Int) { self.first = first }

    /// Number of the next line, or of the line being written.
    var next: Int { first + lines.count }

    /// - Parameter longest: most bytes of the text.
    mutating func add(
        _ origin: LineOrigin, longest: Int, _ text: (inout OutputSpan<UInt8>) -> Void
    ) {
        bytes.append(addingCapacity: longest + 1) { out in
            text(&out)
            out.append(.lineFeed)
        }
        lines.append(Line(end: bytes.count, origin: origin))
    }

    mutating func add(_ text: [UInt8], _ origin: LineOrigin) -> Int {
        add(origin, longest: text.count) { $0.append(text) }
        return next - 1
    }

    mutating func add(
        _ origin: LineOrigin, _ write: (inout JSONWriter) -> Void
    ) -> Int {
        var out = JSONWriter()
        swap(&out.bytes, &bytes)
        write(&out)
        out.bytes.append(.lineFeed)
        swap(&out.bytes, &bytes)
        lines.append(Line(end: bytes.count, origin: origin))
        return next - 1
    }

    @inline(__always)
    func withBytes<Result>(
        of lines: Range<Int>, _ body: (UnsafeRawBufferPointer) -> Result
    ) -> Result {
        bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[range(of: lines)])) }
    }

    func text(of lines: Range<Int>) -> ArraySlice<UInt8> { bytes[range(of: lines)] }

    func origin(of line: Int) -> LineOrigin { lines[line - first].origin }

    private func range(of lines: Range<Int>) -> Range<Int> {
        start(of: lines.lowerBound)..<start(of: lines.upperBound)
    }

    private func start(of line: Int) -> Int { line == first ? 0 : lines[line - first - 1].end }

    mutating func removeAll() {
        // The memory of a turn of unusual size is freed.
        let isLarge = bytes.count > 1 << 20
        bytes.removeAll(keepingCapacity: !isLarge)
        lines.removeAll(keepingCapacity: !isLarge)
    }
}
