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

    /// A connection is closed after this many lines in a row that were no requests.
    private static let mostBadLines: UInt8 = 3

    /// By connection slot.
    private var shares: [Share] = []
    /// Bytes of the longest line.
    private let longest: Int

    init(_ limits: Limits) { longest = limits.line }

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
    mutating func remove(_ slot: ConnectionSlot) { shares[slot].buffer.discard() }

    /// Reads from the socket, or not. Returns whether that is a change.
    mutating func read(_ slot: ConnectionSlot, _ isRead: Bool) -> Bool {
        guard shares[slot].isRead != isRead else { return false }
        shares[slot].isRead = isRead
        return true
    }

    // MARK: Lines

    /// The line at the front, which stays there until `dropLine`; `nil`: there is none.
    mutating func nextLine(of slot: ConnectionSlot) -> InputBuffer.Line? {
        shares[slot].buffer.nextLine(longest: longest)
    }

    /// Bytes of the line at the front, with its end.
    func lineLength(of slot: ConnectionSlot) -> Int { shares[slot].buffer.lineLength }

    /// The text of the line at the front, without its end.
    @inline(__always)
    func withLine<Result>(
        of slot: ConnectionSlot, _ body: (Span<UInt8>) throws(WireError) -> Result
    ) throws(WireError) -> Result {
        // A span, because a subscript of the array would copy the share.
        let shares = shares.span
        return try shares[slot].buffer.withLine(body)
    }

    /// Drops the line at the front. Returns its bytes, with its end.
    mutating func dropLine(of slot: ConnectionSlot) -> Int { shares[slot].buffer.dropLine() }

    /// The line at the front was a request, or a refused line that is no bad input.
    mutating func countGoodLine(of slot: ConnectionSlot) { shares[slot].badLines = 0 }

    /// The line at the front was no request. Returns whether there were too many in a row.
    mutating func countBadLine(of slot: ConnectionSlot) -> Bool {
        shares[slot].badLines &+= 1
        return shares[slot].badLines == Self.mostBadLines
    }
}
