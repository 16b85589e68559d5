/// How much a library of games holds.
public struct GamesSize: AdditiveArithmetic, Sendable {
    package var moves: Int
    /// Games with a running clock.
    package var running: Int
    /// Bytes of the names of all teams and players.
    package var nameBytes: Int

    public static let zero = GamesSize()

    package init(moves: Int = 0, running: Int = 0, nameBytes: Int = 0) {
        (self.moves, self.running, self.nameBytes) = (moves, running, nameBytes)
    }

    public static func + (a: Self, b: Self) -> Self {
        Self(
            moves: a.moves + b.moves, running: a.running + b.running,
            nameBytes: a.nameBytes + b.nameBytes)
    }

    public static func - (a: Self, b: Self) -> Self {
        Self(
            moves: a.moves - b.moves, running: a.running - b.running,
            nameBytes: a.nameBytes - b.nameBytes)
    }
}
