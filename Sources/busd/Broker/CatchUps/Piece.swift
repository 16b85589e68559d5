import BusdProtocol

typealias Lines = [(text: Text, kind: Queued)]

/// The lines of one step.
struct Piece {
    var lines: Lines = []
    /// Bytes of all lines.
    private(set) var length = 0
    /// Bytes that are enough.
    let most: Int

    init(most: Int) { self.most = most }

    mutating func add(_ more: Lines) {
        for line in more where !line.text.isEmpty {
            lines.append(line)
            length += line.text.length
        }
    }
}
