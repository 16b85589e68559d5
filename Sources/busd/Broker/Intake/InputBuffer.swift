import BusdProtocol

/// Received bytes that are not handled yet: whole lines, and the beginning of the next one.
///
/// Any line may hold a password. So handled bytes are overwritten before another connection is
/// served (`wipeDropped`), and no copy stays behind when the buffer grows. A line that is too long
/// is not kept: its bytes are skipped up to the LF, and `nextLine` reports it once.
struct InputBuffer {
    enum Line: Equatable {
        /// `withLine` has its text.
        case text
        /// Longer than the limit.
        case tooLong
        /// `giveUpUnfinished` has discarded the line.
        case givenUp
    }

    private var bytes: [UInt8] = []
    /// Bytes before this index have been dropped.
    private var start = 0
    /// Bytes before this index have been overwritten with zeros.
    private var wiped = 0
    /// The search for the next LF begins here.
    private var scanned = 0
    /// The line at the front: its kind, the bytes of its text, and the bytes of its end (CR and
    /// LF).
    private var front: (line: Line, text: Int, end: Int)?
    /// Bytes are skipped up to the next LF, because their line was too long or was given up.
    private var isSkipping = false
    /// No more bytes follow.
    private var hasEnded = false

    /// Bytes that are not handled yet.
    var count: Int { bytes.count - start }

    /// Bytes of a line without its end; 0 if a whole line may be at the front.
    var unfinished: Int { front == nil && !hasEnded && scanned == bytes.count ? count : 0 }

    mutating func append(_ more: UnsafeRawBufferPointer) {
        let needed = bytes.count + more.count
        if needed > bytes.capacity { move(reserving: max(needed - start, 2 * count)) }
        bytes.append(contentsOf: more)
    }

    /// Bytes of the line at the front, with its end.
    var lineLength: Int { front.map { $0.text + $0.end } ?? 0 }

    /// No more bytes follow: the rest counts as a line.
    mutating func end() { hasEnded = true }

    /// The line at the front, which stays there until `dropLine`; `nil`: there is none.
    mutating func nextLine(longest: Int) -> Line? {
        while front == nil {
            let end = bytes.withUnsafeBytes { $0.firstIndex(of: .lineFeed, from: scanned) }
            guard end < bytes.count else {
                lookAtRest(longest: longest)
                break
            }
            scanned = end + 1
            if isSkipping {
                isSkipping = false
                drop(scanned - start)
            } else {
                found(upTo: end, end: 1, longest: longest)
            }
        }
        return front?.line
    }

    /// The text of the line at the front, without LF and CR; empty if it is not `text`.
    func withLine<Result, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(bytes.span.extracting(start..<(start + (front?.text ?? 0))))
    }

    /// Drops the line at the front. Returns its bytes, with its end.
    mutating func dropLine() -> Int {
        guard let front else { return 0 }
        self.front = nil
        drop(front.text + front.end)
        return front.text + front.end
    }

    /// Discards an unfinished line, up to its LF.
    mutating func giveUpUnfinished() {
        discard()
        isSkipping = true
        front = (.givenUp, 0, 0)
    }

    /// Overwrites all bytes, and frees their memory.
    mutating func discard() {
        bytes.wipe(wiped..<bytes.count)
        bytes = []
        start = 0
        wiped = 0
        scanned = 0
    }

    /// Overwrites dropped bytes. If they are three times the rest, the rest moves to a new buffer:
    /// so the memory is bounded, and few bytes are moved.
    mutating func wipeDropped() {
        if start > bytes.count / 4 * 3 {
            move(reserving: count)
        } else if wiped < start {
            bytes.wipe(wiped..<start)
            wiped = start
        }
    }

    /// Bytes without LF are a line if no more bytes follow, or if they are too long already.
    private mutating func lookAtRest(longest: Int) {
        scanned = bytes.count
        if isSkipping {
            discard()
        } else if count > 0, hasEnded || textLength(upTo: bytes.count) > longest {
            isSkipping = !hasEnded
            found(upTo: bytes.count, end: 0, longest: longest)
        }
    }

    private mutating func found(upTo end: Int, end mark: Int, longest: Int) {
        let text = textLength(upTo: end)
        if text <= longest {
            front = (.text, text, end - start - text + mark)
        } else {
            // The bytes are not kept: the line is never handled, and it may never end.
            drop(end + mark - start)
            front = (.tooLong, 0, 0)
        }
    }

    /// Bytes of text before `end`, without a CR there. Before an LF is received, such a CR may be
    /// part of the end of the line.
    private func textLength(upTo end: Int) -> Int {
        end > start && bytes[end - 1] == .carriageReturn ? end - 1 - start : end - start
    }

    /// Drops bytes from the front. An empty buffer frees its memory.
    private mutating func drop(_ count: Int) {
        start += count
        if start == bytes.count { discard() }
    }

    /// Moves the bytes to a new buffer, and overwrites the old one.
    private mutating func move(reserving capacity: Int) {
        var moved: [UInt8] = []
        moved.reserveCapacity(capacity)
        moved.append(contentsOf: bytes.span.extracting(start...))
        bytes.wipe(wiped..<bytes.count)
        bytes = moved
        scanned -= start
        start = 0
        wiped = 0
    }
}
