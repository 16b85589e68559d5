/// Bytes in the order in which they will be written, of which some may be shared.
struct ByteQueue {
    /// Bytes that stand together: its own, to which more can be added, or a part of shared ones.
    private struct Piece {
        var bytes: [UInt8]
        /// What has not been taken out.
        var range: Range<Int>
        var owner: SharedBytes?

        /// A queue that is long has many pieces, so that what has been taken out frees memory, and
        /// little is set aside for more.
        func isFull(for more: Int) -> Bool {
            owner != nil || !bytes.isEmpty && bytes.count + more > 1 << 15
        }
    }

    /// From `first` on.
    private var pieces: [Piece] = []
    private var first = 0
    /// Bytes that are its own.
    private(set) var ownCount = 0
    private(set) var count = 0

    // MARK: In

    mutating func append(_ bytes: some Collection<UInt8>) {
        guard !bytes.isEmpty else { return }
        ownCount += bytes.count
        count += bytes.count
        if first == pieces.count || pieces[pieces.count - 1].isFull(for: bytes.count) {
            pieces.append(Piece(bytes: [], range: 0..<0, owner: nil))
        }
        let last = pieces.count - 1
        pieces[last].bytes.append(contentsOf: bytes)
        pieces[last].range = pieces[last].range.lowerBound..<pieces[last].bytes.count
    }

    /// Adds a text from some byte on.
    mutating func append(_ text: ArraySlice<UInt8>, _ shares: [Text.Share]) {
        var text = text
        for share in shares {
            let end = share.at + share.bytes.bytes.count
            guard text.startIndex < end else { continue }
            append(text.prefix(upTo: max(text.startIndex, share.at)))
            let from = max(0, text.startIndex - share.at)
            append(share.bytes, from: from)
            text = text.suffix(from: end)
        }
        append(text)
    }

    mutating func append(_ text: Text) {
        text.forEachPiece {
            append($0)
        } shared: {
            append($0, from: 0)
        }
    }

    private mutating func append(_ shared: SharedBytes, from start: Int) {
        count += shared.bytes.count - start
        pieces.append(
            Piece(bytes: shared.bytes, range: start..<shared.bytes.count, owner: shared))
    }

    /// Puts bytes before all others.
    mutating func prepend(_ text: Text) {
        var queue = ByteQueue()
        queue.append(text)
        pieces.insert(contentsOf: queue.pieces, at: first)
        ownCount += queue.ownCount
        count += queue.count
    }

    // MARK: Out

    /// The bytes that stand together at the front, at most so many.
    func withFront<Result>(most: Int, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        guard first < pieces.count else {
            return body(UnsafeRawBufferPointer(start: nil, count: 0))
        }
        let range = pieces[first].range
        let end = range.lowerBound + min(most, range.count)
        return pieces[first].bytes.withUnsafeBytes {
            body(UnsafeRawBufferPointer(rebasing: $0[range.lowerBound..<end]))
        }
    }

    /// Of the bytes that stand together at the front, at most so many.
    func front(most: Int) -> ArraySlice<UInt8> {
        first < pieces.count ? pieces[first].bytes[pieces[first].range].prefix(most) : []
    }

    mutating func removeFirst(_ count: Int) { take(count) { _, _ in } }

    /// Moves bytes from the front of another queue to the end of this.
    mutating func move(_ count: Int, from other: inout ByteQueue) {
        other.take(count) { piece, range in
            if piece.owner == nil {
                append(piece.bytes[range])
            } else {
                self.count += range.count
                pieces.append(Piece(bytes: piece.bytes, range: range, owner: piece.owner))
            }
        }
    }

    private mutating func take(_ count: Int, _ body: (Piece, Range<Int>) -> Void) {
        var left = count
        while left > 0, first < pieces.count {
            let range = pieces[first].range
            let end = range.lowerBound + min(left, range.count)
            body(pieces[first], range.lowerBound..<end)
            left -= end - range.lowerBound
            self.count -= end - range.lowerBound
            if pieces[first].owner == nil { ownCount -= end - range.lowerBound }
            pieces[first].range = end..<range.upperBound
            if end == range.upperBound { dropFirstPiece() }
        }
    }

    private mutating func dropFirstPiece() {
        pieces[first] = Piece(bytes: [], range: 0..<0, owner: nil)
        first += 1
        if first > pieces.count / 2 {
            pieces.removeFirst(first)
            first = 0
        }
    }
}
