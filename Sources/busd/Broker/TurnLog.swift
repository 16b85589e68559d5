import BusdProtocol

/// All lines of one turn of the loop, each encoded once.
///
/// A connection does not get a copy: it notes ranges of the log. Lines for one connection are in a
/// part of their own. So a subscriber of all events has a single range, even if other connections
/// were answered in between, and the range is written to its socket without copying.
struct TurnLog {
    private(set) var common = LogPart(first: 0)
    private(set) var own = LogPart(first: LogPart.firstOwn)
    /// Shared parts of the few lines that have some.
    private var shares: [Int: [Text.Share]] = [:]

    /// Bytes of all lines.
    var length: Int { common.bytes.count + own.bytes.count }

    // MARK: In

    /// Adds the line of an event, in one piece. Returns where in it `"more":true,` stands.
    mutating func add(
        _ event: Outbox.Event, in update: borrowing Outbox.Update, _ cause: Cause?,
        of stream: Stream, at now: Instant
    ) -> Int? {
        let seq = stream.lastSeq + 1
        var moreAt: Int?
        let longest = stream.lineStart.count + (cause?.longest ?? 0) + event.json.count + 50
        common.add(.event(event.model, seq: seq, at: now), longest: longest) { line in
            line.append(stream.lineStart)
            line.append(decimal: seq)
            line.append(UInt8(ascii: ","))
            if event.hasMore {
                moreAt = line.count
                line.append(More.json)
            }
            cause?.write(to: &line)
            line.append(#""event":"#)
            update.append(event, to: &line)
            line.append(UInt8(ascii: "}"))
        }
        return moreAt
    }

    /// Adds a line for several connections, and returns its number.
    mutating func add(_ text: Text, _ origin: LineOrigin) -> Int {
        keepShares(of: text, for: common.next)
        return common.add(text.bytes, origin)
    }

    /// Adds a line for one connection, and returns its number.
    mutating func add(own text: Text, _ origin: LineOrigin) -> Int {
        keepShares(of: text, for: own.next)
        return own.add(text.bytes, origin)
    }

    /// Adds a line for one connection, written in place, and returns its number.
    mutating func add(own origin: LineOrigin, _ write: (inout JSONWriter) -> Void) -> Int {
        own.add(origin, write)
    }

    private mutating func keepShares(of text: Text, for line: Int) {
        if !text.shares.isEmpty { shares[line] = text.shares }
    }

    /// Keeps the last common line in memory once, however many connections wait for it.
    mutating func shareLast(_ account: Account) {
        let line = common.next - 1
        shares[line] = [Text.Share(at: 0, bytes: SharedBytes(Array(text(of: line)), account))]
    }

    mutating func removeAll() {
        common.removeAll()
        own.removeAll()
        if !shares.isEmpty { shares = [:] }
    }

    // MARK: Out

    @inline(__always)
    func withBytes<Result>(
        of lines: Range<Int>, _ body: (UnsafeRawBufferPointer) -> Result
    ) -> Result {
        lines.lowerBound < LogPart.firstOwn
            ? common.withBytes(of: lines, body) : own.withBytes(of: lines, body)
    }

    /// The bytes of a line.
    func text(of line: Int) -> ArraySlice<UInt8> { text(of: line..<(line + 1)) }

    func text(of lines: Range<Int>) -> ArraySlice<UInt8> {
        lines.lowerBound < LogPart.firstOwn ? common.text(of: lines) : own.text(of: lines)
    }

    func length(of line: Int) -> Int { withBytes(of: line..<(line + 1)) { $0.count } }

    func origin(of line: Int) -> LineOrigin {
        line < LogPart.firstOwn ? common.origin(of: line) : own.origin(of: line)
    }

    /// A line has shared parts.
    var isShared: Bool { !shares.isEmpty }

    /// Shared parts of a line, in indices of its text.
    func shares(of line: Int) -> [Text.Share] {
        guard !shares.isEmpty, var shares = shares[line] else { return [] }
        let start = text(of: line).startIndex
        for place in shares.indices { shares[place].at += start }
        return shares
    }

    /// Start of the last line with shared parts, in bytes from the start of the ranges.
    func startOfLastShared(in ranges: LineRanges) -> Int? {
        guard !shares.isEmpty else { return nil }
        var length = 0
        var found: Int?
        ranges.forEach { range in
            if let line = shares.keys.filter(range.contains).max() {
                found = length + text(of: range.lowerBound..<line).count
            }
            length += text(of: range).count
        }
        return found
    }

    /// The kind of a line in a backlog.
    ///
    /// - Parameter previous: the `seq` before an event that went through `only`, where that is not
    ///   the one before it, in order.
    func entryKind(
        of line: Int, _ previous: inout ArraySlice<(line: Int, seq: Int)>
    ) -> Queued {
        switch origin(of: line) {
        case .answer: return .answer
        case .joined(let model, let seq): return .joined(model, seq: seq)
        case .notice: return .notice
        case .gone(let model, let isNamed): return .gone(model, isNamed: isNamed)
        case .arrival(let model, let at): return .event(model, seq: 0, previous: nil, at: at)
        case .event(let model, let seq, let at):
            let own = previous.first?.line == line ? previous.popFirst()?.seq : nil
            return .event(model, seq: seq, previous: own ?? seq - 1, at: at)
        }
    }
}

/// The line of an event in the log of the turn.
struct EventLine {
    let number: Int
    /// Where in it `"more":true,` stands; `nil`: it does not.
    let moreAt: Int?
    let length: Int
}

/// Consecutive lines.
struct LogPart {
    private struct Line {
        let end: Int
        let origin: LineOrigin
    }

    /// Number of the first line for one connection.
    static let firstOwn = 1 << 40

    /// Number of its first line. So the number of a line shows in which part it is.
    let first: Int
    private(set) var bytes: [UInt8] = []
    private var lines: [Line] = []

    init(first: Int) { self.first = first }

    /// Number of the next line, or of the line being written.
    var next: Int { first + lines.count }

    mutating func add(
        _ origin: LineOrigin, longest: Int, _ text: (inout OutputSpan<UInt8>) -> Void
    ) {
        bytes.append(addingCapacity: longest + 1) { out in
            text(&out)
            out.append(UInt8(ascii: "\n"))
        }
        lines.append(Line(end: bytes.count, origin: origin))
    }

    fileprivate mutating func add(_ text: [UInt8], _ origin: LineOrigin) -> Int {
        add(origin, longest: text.count) { $0.append(text) }
        return next - 1
    }

    fileprivate mutating func add(
        _ origin: LineOrigin, _ write: (inout JSONWriter) -> Void
    ) -> Int {
        var out = JSONWriter()
        swap(&out.bytes, &bytes)
        write(&out)
        out.bytes.append(UInt8(ascii: "\n"))
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

    fileprivate func text(of lines: Range<Int>) -> ArraySlice<UInt8> { bytes[range(of: lines)] }

    fileprivate func origin(of line: Int) -> LineOrigin { lines[line - first].origin }

    private func range(of lines: Range<Int>) -> Range<Int> {
        start(of: lines.lowerBound)..<start(of: lines.upperBound)
    }

    private func start(of line: Int) -> Int { line == first ? 0 : lines[line - first - 1].end }

    fileprivate mutating func removeAll() {
        // A turn of an unusual size gives its memory back.
        let isLarge = bytes.count > 1 << 20
        bytes.removeAll(keepingCapacity: !isLarge)
        lines.removeAll(keepingCapacity: !isLarge)
    }
}

/// The kind of a line, which decides whether a slow connection may miss it.
enum LineOrigin: Equatable {
    /// An event. It may be dropped for a gap.
    case event(ModelID, seq: Int, at: Instant)
    /// The snapshot of a new view model, as one line. It may be dropped for a later snapshot.
    case arrival(ModelID, at: Instant)
    /// The answer to a request: never dropped.
    case answer
    /// The end of the answer to `subscribe` for a view model, as of `seq`. Later gaps follow this
    /// line.
    case joined(ModelID, seq: Int)
    /// A view model has ended: dropped only with the arrival of the view model. `isNamed`: an
    /// answer has named it.
    case gone(ModelID, isNamed: Bool)
    /// A snapshot after a gap, `ping` or `bye`: never dropped, and no answer.
    case notice
}
