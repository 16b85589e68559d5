/// Consecutive lines of one view model, which its watchers note together.
struct Run {
    let model: ModelID
    /// The watchers, unchanged since the run began: `noteRun` is called before they change.
    let watchers: [Watcher]
    private(set) var lines: Range<Int>
    /// Number of watchers that get the lines unchanged.
    let live: Int
    /// All watchers get the lines unchanged.
    let isForAll: Bool

    init(_ line: Int, of model: ModelID, _ watchers: [Watcher]) {
        self.model = model
        self.watchers = watchers
        lines = line..<(line + 1)
        live = watchers.count { $0.isLive }
        isForAll = live == watchers.count
    }

    /// Adds a line if it is the next one and of the same view model. Returns whether it was added.
    mutating func grow(by line: Int, of model: ModelID) -> Bool {
        guard model == self.model, line == lines.upperBound else { return false }
        lines = lines.lowerBound..<(line + 1)
        return true
    }
}
