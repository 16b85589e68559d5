/// How much a library of games holds.
public struct GamesSize: AdditiveArithmetic, Sendable {
    var moves: Int
    /// Games with a running clock.
    var running: Int
    /// Bytes of the names of all teams and players.
    var nameBytes: Int

    public static let zero = GamesSize()

    init(moves: Int = 0, running: Int = 0, nameBytes: Int = 0) {
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
