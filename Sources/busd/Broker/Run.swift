/// Events of one view model, one line after the other: who hears it notes them all at once.
struct Run {
    let model: ModelID
    /// Before they change, the run is noted.
    let members: [Member]
    private(set) var lines: Range<Int>
    /// How many of its members get the lines as they stand.
    let plain: Int
    /// These are all of its members.
    let isForAll: Bool

    init(_ line: Int, of model: ModelID, _ members: [Member]) {
        self.model = model
        self.members = members
        lines = line..<(line + 1)
        plain = members.count { $0.isPlain }
        isForAll = plain == members.count
    }

    /// Takes in a line, if it is the next one and of the same view model.
    mutating func grow(by line: Int, of model: ModelID) -> Bool {
        guard model == self.model, line == lines.upperBound else { return false }
        lines = lines.lowerBound..<(line + 1)
        return true
    }
}
