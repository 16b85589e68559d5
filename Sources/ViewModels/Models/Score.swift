public import BusdProtocol

/// The points of both teams, and the winner.
public struct Score: Hashable, Sendable {
    public static let pointsToWin = 15
    public static let leadToWin = 2

    public var home: Int
    public var away: Int

    public init(home: Int = 0, away: Int = 0) {
        self.home = home
        self.away = away
    }

    public subscript(side: Side) -> Int {
        get { side == .home ? home : away }
        set {
            switch side {
            case .home: home = newValue
            case .away: away = newValue
            }
        }
    }

    /// The team with at least 15 points and a lead of at least two points, if there is one.
    public var winner: Side? { hasWon(.home) ? .home : hasWon(.away) ? .away : nil }

    /// `13 - 15`. The texts of usual scores are prepared, because many moves show one.
    public var text: String {
        guard Self.usual.contains(home), Self.usual.contains(away) else { return newText }
        return Self.texts[home * Self.usual.count + away]
    }

    private static let usual = 0..<24
    private static let texts = usual.flatMap { home in
        usual.map { Score(home: home, away: $0).newText }
    }

    private var newText: String { home.numeral + " - " + away.numeral }

    private func hasWon(_ side: Side) -> Bool {
        self[side] >= Self.pointsToWin && self[side] - self[side.other] >= Self.leadToWin
    }
}
