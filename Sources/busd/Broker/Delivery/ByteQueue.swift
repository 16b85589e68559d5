/// The bytes that wait for a socket, in order. They are a list of pieces. A long value that several
/// connections wait for is a piece of its own, which refers to `SharedBytes`; all other bytes are
/// copied into pieces of the queue.
struct ByteQueue {
    /// Contiguous bytes: own ones, to which more can be added, or a part of shared ones.
    private struct Chunk {
        var bytes: [UInt8]
        /// The bytes that have not been taken out.
        var range: Range<Int>
        /// `nil`: the bytes are own ones.
        var owner: SharedBytes?

        /// Whether `more` bytes need a new piece. A long queue has many pieces, so that bytes that
        /// have been taken out free memory, and little capacity is unused.
        func isFull(for more: Int) -> Bool {
            owner != nil || !bytes.isEmpty && bytes.count + more > 1 << 15
        }
    }

    /// Pieces before `first` have been taken out.
    private var pieces: [Chunk] = []
    private var first = 0
    /// Bytes that are not shared.
    private(set) var ownCount = 0
    private(set) var count = 0

    // MARK: In

    mutating func append(_ bytes: some Collection<UInt8>) {
        guard !bytes.isEmpty else { return }
        ownCount += bytes.count
        count += bytes.count
        if first == pieces.count || pieces[pieces.count - 1].isFull(for: bytes.count) {
            pieces.append(Chunk(bytes: [], range: 0..<0, owner: nil))
        }
        let last = pieces.count - 1
        pieces[last].bytes.append(contentsOf: bytes)
        pieces[last].range = pieces[last].range.lowerBound..<pieces[last].bytes.count
    }

    /// Adds a slice of a text. `shares` are the shared parts of the whole text, in the indices of
    /// the slice: the slice may begin inside one.
    mutating func append(_ text: ArraySlice<UInt8>, _ shares: [Text.Inset]) {
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
            Chunk(bytes: shared.bytes, range: start..<shared.bytes.count, owner: shared))
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

    /// The contiguous bytes at the front: at most `most`, and fewer if the piece is shorter.
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

    mutating func removeFirst(_ count: Int) { take(count) { _, _ in } }

    /// Moves bytes from the front of another queue to the end of this one.
    mutating func move(_ count: Int, from other: inout ByteQueue) {
        other.take(count) { piece, range in
            if piece.owner == nil {
                append(piece.bytes[range])
            } else {
                self.count += range.count
                pieces.append(Chunk(bytes: piece.bytes, range: range, owner: piece.owner))
            }
        }
    }

    /// Takes out bytes at the front, piece by piece.
    private mutating func take(_ count: Int, _ body: (Chunk, Range<Int>) -> Void) {
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
        pieces[first] = Chunk(bytes: [], range: 0..<0, owner: nil)
        first += 1
        if first > pieces.count / 2 {
            pieces.removeFirst(first)
            first = 0
        }
    }
}
