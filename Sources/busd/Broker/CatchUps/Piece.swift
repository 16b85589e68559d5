import BusdProtocol

/// Lines for a backlog, with their LF.
typealias Lines = [(text: Text, kind: Queued)]

/// The lines of one step of a catch-up.
struct Piece {
    private(set) var lines: Lines = []
    /// Bytes of all lines.
    private(set) var length = 0
    /// The step ends when the lines have this many bytes.
    let most: Int

    init(most: Int) { self.most = most }

    mutating func add(_ more: Lines) {
        for line in more where !line.text.isEmpty {
            lines.append(line)
            length += line.text.length
        }
    }
}
