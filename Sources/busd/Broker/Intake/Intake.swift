import BusdProtocol

/// What the connections have sent and the bus has not handled yet, and whether their sockets are
/// read.
struct Intake {
    private struct Share {
        var buffer = InputBuffer()
        /// The shell reads from the socket when it is readable.
        var isRead = true
        /// The peer has half-closed: no more bytes follow.
        var hasEnded = false
        /// Consecutive lines that were no requests.
        var badLines: UInt8 = 0
    }

    /// The number of matches of a `subscribe` that the walk has passed.
    typealias Tally = (walk: Walk, count: Int)

    /// A connection is closed after this many lines in a row that were no requests.
    private static let mostBadLines: UInt8 = 3

    /// By connection slot.
    private var shares: [Share] = []
    /// By connection slot: the tally of the line at the front.
    private var tallies: [ConnectionSlot: Tally] = [:]
    private let limits: Limits
    /// The line being read. Reused, so a request needs no new memory.
    private let document = JSONDocument()

    init(_ limits: Limits) { self.limits = limits }

    mutating func admit(_ slot: ConnectionSlot) {
        if slot == shares.count { shares.append(Share()) } else { shares[slot] = Share() }
    }

    // MARK: Bytes

    mutating func received(_ bytes: UnsafeRawBufferPointer, on slot: ConnectionSlot) {
        shares[slot].buffer.append(bytes)
    }

    /// No more bytes follow: the rest counts as a line.
    mutating func end(_ slot: ConnectionSlot) {
        shares[slot].hasEnded = true
        shares[slot].buffer.end()
    }

    func hasEnded(_ slot: ConnectionSlot) -> Bool { shares[slot].hasEnded }

    /// Bytes that are not handled yet.
    func count(of slot: ConnectionSlot) -> Int { shares[slot].buffer.count }

    /// Bytes of a line without its end; 0 if a whole line may be at the front.
    func unfinished(of slot: ConnectionSlot) -> Int { shares[slot].buffer.unfinished }

    /// Discards an unfinished line, up to its LF.
    mutating func giveUpUnfinished(of slot: ConnectionSlot) {
        shares[slot].buffer.giveUpUnfinished()
    }

    /// Overwrites handled bytes, which may hold a password.
    mutating func wipe(_ slot: ConnectionSlot) { shares[slot].buffer.wipeDropped() }

    /// Overwrites all bytes of a closing connection.
    mutating func remove(_ slot: ConnectionSlot) {
        shares[slot].buffer.discard()
        tallies[slot] = nil
    }

    func isRead(_ slot: ConnectionSlot) -> Bool { shares[slot].isRead }

    /// Reads from the socket, or not. Returns whether that is a change.
    mutating func read(_ slot: ConnectionSlot, _ isRead: Bool) -> Bool {
        guard shares[slot].isRead != isRead else { return false }
        shares[slot].isRead = isRead
        return true
    }

    // MARK: Lines

    /// The line at the front, which stays there until `dropLine`; `nil`: there is none.
    mutating func nextLine(of slot: ConnectionSlot) -> InputBuffer.Line? {
        shares[slot].buffer.nextLine(longest: limits.line)
    }

    /// Bytes of the line at the front, with its end.
    func lineLength(of slot: ConnectionSlot) -> Int { shares[slot].buffer.lineLength }

    /// The request in the line at the front, until `forget`; `nil`: the line is empty or a comment.
    ///
    /// - Parameter line: as `nextLine` returned it.
    func request(
        in line: InputBuffer.Line, of slot: ConnectionSlot
    ) throws(RequestRefusal) -> Request? {
        do throws(WireError) {
            guard try read(line, of: slot) else { return nil }
        } catch {
            throw RequestRefusal(error: error, id: nil)
        }
        return try Request(document, limits: limits)
    }

    /// Forgets the requests that were read, which may hold a password.
    func forget() { document.forget() }

    private func read(
        _ line: InputBuffer.Line, of slot: ConnectionSlot
    ) throws(WireError) -> Bool {
        switch line {
        case .text:
            // A span, because a subscript of the array would copy the share.
            let shares = shares.span
            return try shares[slot].buffer.withLine { line throws(WireError) in
                try document.read(line: line, limits: limits)
            }
        case .tooLong:
            throw WireError(.tooLong, "a line must have at most \(limits.line) bytes (limit line)")
        case .givenUp:
            throw WireError(
                .overloaded,
                "unfinished lines have more than \(limits.inputTotal) bytes together, and this was "
                    + "one of the longest (limit inputTotal)")
        }
    }

    /// The tally that an earlier visit kept for the line at the front.
    func tally(of slot: ConnectionSlot) -> Tally? { tallies[slot] }

    mutating func keep(_ tally: Tally, of slot: ConnectionSlot) { tallies[slot] = tally }

    /// Drops the line at the front. Returns its bytes, with its end.
    mutating func dropLine(of slot: ConnectionSlot) -> Int {
        if !tallies.isEmpty { tallies[slot] = nil }
        return shares[slot].buffer.dropLine()
    }

    /// The line at the front was a request, or a refused line that is no bad input.
    mutating func countGoodLine(of slot: ConnectionSlot) { shares[slot].badLines = 0 }

    /// The line at the front was no request. Returns whether there were too many in a row.
    mutating func countBadLine(of slot: ConnectionSlot) -> Bool {
        shares[slot].badLines &+= 1
        return shares[slot].badLines == Self.mostBadLines
    }
}

extension JSONDocument {
    /// Reads a line, in JSON or in words. Returns false if the line is empty or a comment.
    fileprivate func read(line: Span<UInt8>, limits: Limits) throws(WireError) -> Bool {
        let isSpace = { (byte: UInt8) in byte == .space || byte == .tab }
        guard let first = line.indices.first(where: { !isSpace(line[$0]) }),
            let last = line.indices.last(where: { !isSpace(line[$0]) }),
            line[first] != UInt8(ascii: "#")
        else { return false }
        let text = line.extracting(first...last)
        if text[0] == UInt8(ascii: "{") {
            try read(text, limits: limits)
        } else {
            // The line may hold a password, and so does this copy.
            var json = try Words.json(text, limits: limits)
            defer { json.wipe() }
            try read(json, limits: limits)
        }
        return true
    }
}
