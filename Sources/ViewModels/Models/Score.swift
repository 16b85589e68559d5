package import BusdProtocol

/// The points of both teams, and the winner.
package struct Score: Hashable, Sendable {
    package static let pointsToWin = 15
    package static let leadToWin = 2

    package var home: Int
    package var away: Int

    package init(home: Int = 0, away: Int = 0) {
        self.home = home
        self.away = away
    }

    package subscript(side: Side) -> Int {
        get { side == .home ? home : away }
        set {
            switch side {
            case .home: home = newValue
            case .away: away = newValue
            }
        }
    }

    /// The team with at least 15 points and a lead of at least two points, if there is one.
    package var winner: Side? { hasWon(.home) ? .home : hasWon(.away) ? .away : nil }

    /// `13 - 15`. The texts of usual scores are prepared, because many moves show one.
    package var text: String {
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
