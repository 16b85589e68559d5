import BusdProtocol

/// All lines of one turn of the loop, each encoded once.
///
/// A connection does not get a copy: it notes ranges of the log. Lines for one connection are in a
/// separate part (`own`). So a subscriber of all events has a single range, even if other
/// connections were answered in between, and the range is written to its socket without copying.
struct TurnLog {
    private(set) var common = LogPart(first: 0)
    private(set) var own = LogPart(first: LogPart.firstOwn)
    /// Shared parts of lines, by line number. Few lines have some.
    private var shares: [Int: [Text.Inset]] = [:]

    /// Bytes of all lines.
    var length: Int { common.bytes.count + own.bytes.count }

    // MARK: In

    /// Adds the line of an event. Returns its mark `more`; `nil`: it has none.
    mutating func add(
        _ event: Outbox.Event, in outbox: Outbox, _ cause: Cause?,
        of stream: Stream, at now: Instant
    ) -> More? {
        let seq = stream.lastSeq + 1
        var more: More?
        let longest = stream.lineStart.count + (cause?.longest ?? 0) + event.length + 50
        common.add(.event(event.model, seq: seq, at: now), longest: longest) { line in
            line.append(stream.lineStart)
            line.append(decimal: seq)
            line.append(",")
            if event.hasMore {
                more = More(at: line.count)
                line.append(More.mark)
            }
            cause?.write(to: &line)
            line.append(#""event":"#)
            outbox.append(event, to: &line)
            line.append("}")
        }
        return more
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
    mutating func add(own origin: LineOrigin, _ write: Line.Writing) -> Int {
        own.add(origin, write)
    }

    private mutating func keepShares(of text: Text, for line: Int) {
        if !text.shares.isEmpty { shares[line] = text.shares }
    }

    /// Keeps the last common line in memory once, however many connections wait for it.
    mutating func shareLast(_ account: Account) {
        let line = common.next - 1
        shares[line] = [Text.Inset(at: 0, bytes: SharedBytes(Array(text(of: line)), account))]
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

    /// Some line has shared parts.
    var isShared: Bool { !shares.isEmpty }

    /// The shared parts of a line, in the indices of its text.
    func shares(of line: Int) -> [Text.Inset] {
        guard !shares.isEmpty, let shares = shares[line] else { return [] }
        let start = text(of: line).startIndex
        return shares.map { Text.Inset(at: start + $0.at, bytes: $0.bytes) }
    }

    /// The offset of the last line with shared parts, in bytes from the start of the ranges; `nil`:
    /// there is none.
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

    /// The kind of the line in a backlog.
    ///
    /// - Parameter previous: `Outgoing.previous`, from this line on. An entry for this line is
    ///   taken out.
    /// - Parameter address: of a view model with lines in this turn.
    func queued(
        of line: Int, _ previous: inout ArraySlice<(line: Int, seq: Int)>,
        _ address: (ModelID) -> Address
    ) -> Queued {
        switch origin(of: line) {
        case .answer: return .answer
        case .joined(let model, let seq): return .joined(model, seq: seq)
        case .notice: return .notice
        case .gone(let model, let isNamed): return .gone(model, isNamed: isNamed)
        case .arrival(let model, let at):
            return .event(model, address(model), seq: 0, previous: nil, at: at)
        case .event(let model, let seq, let at):
            let own = previous.first?.line == line ? previous.popFirst()?.seq : nil
            return .event(model, address(model), seq: seq, previous: own ?? seq - 1, at: at)
        }
    }
}

/// The line of an event in the log of the turn.
struct EventLine {
    let number: Int
    let more: More?
    let length: Int
}
