import BusdProtocol

/// What a peer has sent and nobody has handled yet: whole lines, and the beginning of the next.
///
/// Any line may hold a password. So bytes that are done with are overwritten, all at once, before
/// another connection is served (`wipeDropped`), and the buffer leaves none behind where it grows.
struct InputBuffer {
    enum Line: Equatable {
        case text
        case tooLong
        case givenUp
    }

    private var bytes: [UInt8] = []
    private var start = 0
    /// Before this place all bytes are zeros.
    private var wiped = 0
    /// There is no LF before this place.
    private var scanned = 0
    /// The line at the front: the bytes of its text, and those of its end.
    private var front: (line: Line, text: Int, end: Int)?
    /// A line that was too long or has been given up is passed over up to its LF.
    private var isSkipping = false
    private var hasEnded = false

    /// Bytes that wait.
    var count: Int { bytes.count - start }

    /// Those of a line that has not ended; none while there may be a line to be handled.
    var unfinished: Int { front == nil && !hasEnded && scanned == bytes.count ? count : 0 }

    mutating func append(_ more: UnsafeRawBufferPointer) {
        let needed = bytes.count + more.count
        if needed > bytes.capacity { move(reserving: max(needed - start, 2 * count)) }
        bytes.append(contentsOf: more)
    }

    /// Bytes of the line at the front, and of its end.
    var lineLength: Int { front.map { $0.text + $0.end } ?? 0 }

    /// No more will come: what is left counts as a line.
    mutating func end() { hasEnded = true }

    /// The line at the front, which stays there until it is dropped; `nil` while there is none.
    mutating func nextLine(longest: Int) -> Line? {
        while front == nil {
            let end = bytes.withUnsafeBytes { $0.firstIndex(of: UInt8(ascii: "\n"), from: scanned) }
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

    /// The line at the front without its LF and the CR before it; nothing of one that is no text.
    func withLine<Result, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(bytes.span.extracting(start..<(start + (front?.text ?? 0))))
    }

    /// The line at the front has been handled. Returns how many bytes of it there were.
    mutating func dropLine() -> Int {
        guard let front else { return 0 }
        self.front = nil
        drop(front.text + front.end)
        return front.text + front.end
    }

    /// Lets go of a line that has not ended.
    mutating func giveUpUnfinished() {
        discard()
        isSkipping = true
        front = (.givenUp, 0, 0)
    }

    /// Nobody is there any more to answer.
    mutating func discard() {
        bytes.wipe(wiped..<bytes.count)
        bytes = []
        start = 0
        wiped = 0
        scanned = 0
    }

    /// Overwrites what has been dropped. What is left of a full buffer moves no more often than
    /// bytes come.
    mutating func wipeDropped() {
        if start > bytes.count / 2 {
            move(reserving: count)
        } else if wiped < start {
            bytes.wipe(wiped..<start)
            wiped = start
        }
    }

    /// A line without LF.
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
            // Nobody will read it, and there may be no end of it.
            drop(end + mark - start)
            front = (.tooLong, 0, 0)
        }
    }

    /// A CR at the end does not count; where there is no LF yet, it may be one that does not.
    private func textLength(upTo end: Int) -> Int {
        end > start && bytes[end - 1] == UInt8(ascii: "\r") ? end - 1 - start : end - start
    }

    /// An empty buffer holds no memory.
    private mutating func drop(_ count: Int) {
        start += count
        if start == bytes.count { discard() }
    }

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
