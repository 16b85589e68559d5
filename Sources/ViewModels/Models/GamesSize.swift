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

    public static func + (a: Self, b: Self) -> Self { a.combined(with: b, +) }
    public static func - (a: Self, b: Self) -> Self { a.combined(with: b, -) }

    private func combined(with other: Self, _ combine: (Int, Int) -> Int) -> Self {
        Self(
            moves: combine(moves, other.moves), running: combine(running, other.running),
            nameBytes: combine(nameBytes, other.nameBytes))
    }
}
