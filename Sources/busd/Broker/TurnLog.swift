import Protocol

/// All lines of one turn of the loop, in the one order that everybody sees, each encoded once.
///
/// A connection does not get a copy: it remembers which stretches of the log are its own. One that
/// subscribed to all that was said has a single stretch, which goes to its socket as it stands.
struct TurnLog {
    struct Line {
        let end: Int
        let origin: LineOrigin
    }

    private(set) var bytes: [UInt8] = []
    private(set) var lines: [Line] = []
    /// Of the few lines of which something is shared, what that is.
    private var shares: [Int: [Text.Share]] = [:]

    /// The number of the line that is being written, or comes next.
    var next: Int { lines.count }

    /// Adds a line of so many bytes at most, in one piece.
    mutating func add(
        _ origin: LineOrigin, longest: Int, _ text: (inout OutputSpan<UInt8>) -> Void
    ) {
        bytes.append(addingCapacity: longest + 1) { out in
            text(&out)
            out.append(UInt8(ascii: "\n"))
        }
        lines.append(Line(end: bytes.count, origin: origin))
    }

    /// Adds a line, and returns its number.
    mutating func add(_ text: Text, _ origin: LineOrigin) -> Int {
        if !text.shares.isEmpty { shares[next] = text.shares }
        add(origin, longest: text.bytes.count) { $0.append(text.bytes) }
        return next - 1
    }

    /// Makes the last line one that is in memory once, however many it has to wait for.
    mutating func shareLast(_ total: Total) {
        let line = next - 1
        let bytes = Array(bytes[bytes(of: line..<next)])
        shares[line] = [Text.Share(at: 0, bytes: SharedBytes(bytes, total))]
    }

    func bytes(of lines: Range<Int>) -> Range<Int> {
        start(of: lines.lowerBound)..<start(of: lines.upperBound)
    }

    /// The bytes of lines as one piece: as they stand, where they stand together.
    @inline(__always)
    func withBytes<Result>(
        of stretches: Stretches, _ body: (UnsafeRawBufferPointer) -> Result
    ) -> Result {
        guard stretches.isSingle else { return gathered(stretches).withUnsafeBytes(body) }
        return withBytes(of: stretches.last, body)
    }

    @inline(__always)
    func withBytes<Result>(
        of lines: Range<Int>, _ body: (UnsafeRawBufferPointer) -> Result
    ) -> Result {
        bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[bytes(of: lines)])) }
    }

    @inline(never)
    private func gathered(_ stretches: Stretches) -> [UInt8] {
        var gathered: [UInt8] = []
        stretches.forEach { gathered.append(contentsOf: bytes[bytes(of: $0)]) }
        return gathered
    }

    /// Something of a line is shared.
    var isShared: Bool { !shares.isEmpty }

    /// What of a line is shared, counted in `bytes`.
    func shares(of line: Int) -> [Text.Share] {
        guard !shares.isEmpty, var shares = shares[line] else { return [] }
        for place in shares.indices { shares[place].at += start(of: line) }
        return shares
    }

    /// Where the last line that is shared begins, counted from the first byte of the stretches.
    func startOfLastShared(in stretches: Stretches) -> Int? {
        guard !shares.isEmpty else { return nil }
        var length = 0
        var found: Int?
        stretches.forEach { range in
            if let line = shares.keys.filter(range.contains).max() {
                found = length + start(of: line) - start(of: range.lowerBound)
            }
            length += bytes(of: range).count
        }
        return found
    }

    func start(of line: Int) -> Int { line == 0 ? 0 : lines[line - 1].end }

    /// What a line is to whoever is too slow for it.
    ///
    /// - Parameter previous: the `seq` before each event that went through `only`, in order.
    func entryKind(
        of line: Int, _ previous: inout ArraySlice<(line: Int, seq: Int)>
    ) -> Backlog.Entry.Kind {
        switch lines[line].origin {
        case .answer: return .answer
        case .joined(let model, let seq): return .joined(model, seq: seq)
        case .patternLive: return .patternLive
        case .notice: return .notice
        case .gone(let model): return .gone(model)
        case .arrival(let model, let at): return .arrival(model, at: at)
        case .event(let model, let seq, let at):
            let own = previous.first?.line == line ? previous.popFirst()?.seq : nil
            return .event(model, seq: seq, previous: own ?? seq - 1, at: at)
        }
    }

    mutating func removeAll() {
        // A turn of an unusual size gives its memory back.
        let isLarge = bytes.count > 1 << 20
        bytes.removeAll(keepingCapacity: !isLarge)
        lines.removeAll(keepingCapacity: !isLarge)
        if !shares.isEmpty { shares = [:] }
    }
}

/// What a line is, which decides what may become of it when its reader is slow.
enum LineOrigin: Equatable {
    /// An event, emitted at some moment. It may be passed over, for a gap.
    case event(ModelID, seq: Int, at: Instant)
    /// The snapshot of a view model that has come, as one line. It may be passed over for a later
    /// one.
    case arrival(ModelID, at: Instant)
    /// Whatever a request was answered with: never dropped.
    case answer
    /// The end of what a `subscribe` was answered with for a view model, true as of `seq`: what it
    /// misses from then on is told after this.
    case joined(ModelID, seq: Int)
    /// The end of an answer to a `subscribe` with a pattern.
    case patternLive
    /// A view model has ended: never dropped, unless the view was never told that it had come.
    case gone(ModelID)
    /// A snapshot after a gap, `ping` and `bye`: never dropped, and nobody asked for it.
    case notice
}

/// The lines of the turn that are a connection's own.
struct Stretches {
    /// All but the last, in order.
    private(set) var earlier: [Range<Int>] = []
    private(set) var last: Range<Int> = 0..<0

    var isEmpty: Bool { last.isEmpty }
    var isSingle: Bool { earlier.isEmpty }

    /// Adds lines, which come after all that were added before. Returns whether they are the first.
    mutating func add(_ lines: Range<Int>) -> Bool {
        if last.upperBound == lines.lowerBound, !last.isEmpty {
            last = last.lowerBound..<lines.upperBound
            return false
        }
        let isFirst = last.isEmpty
        if !isFirst { earlier.append(last) }
        last = lines
        return isFirst
    }

    mutating func removeAll() {
        if !earlier.isEmpty { earlier = [] }
        last = 0..<0
    }

    func forEach(_ body: (Range<Int>) -> Void) {
        for range in earlier { body(range) }
        body(last)
    }
}
