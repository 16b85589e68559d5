/// Consecutive lines of one view model, which its watchers note together.
struct Run {
    let model: ModelID
    /// Before they change, the run is noted.
    let watchers: [Watcher]
    private(set) var lines: Range<Int>
    /// How many of its watchers get the lines as they stand.
    let live: Int
    /// These are all of its watchers.
    let isForAll: Bool

    init(_ line: Int, of model: ModelID, _ watchers: [Watcher]) {
        self.model = model
        self.watchers = watchers
        lines = line..<(line + 1)
        live = watchers.count { $0.isLive }
        isForAll = live == watchers.count
    }

    /// Takes in a line, if it is the next one and of the same view model.
    mutating func grow(by line: Int, of model: ModelID) -> Bool {
        guard model == self.model, line == lines.upperBound else { return false }
        lines = lines.lowerBound..<(line + 1)
        return true
    }
}
