import BusdGamesEvents
import BusdProtocol

/// The points of both teams.
struct Score: Hashable, Sendable {
    var home: Int
    var away: Int

    init(home: Int = 0, away: Int = 0) {
        self.home = home
        self.away = away
    }

    subscript(side: Side) -> Int {
        get { side == .home ? home : away }
        set { if side == .home { home = newValue } else { away = newValue } }
    }

    /// The team that has won by these rules, if there is one.
    func winner(by rules: GameRules) -> Side? {
        guard max(home, away) >= rules.pointsToWin, abs(home - away) >= rules.margin else {
            return nil
        }
        return home > away ? .home : .away
    }

    /// `13 - 15`. The texts of usual scores are prepared, because many moves show one.
    var text: String {
        guard Self.usual.contains(home), Self.usual.contains(away) else { return newText }
        return Self.texts[home * Self.usual.count + away]
    }

    private static let usual = 0..<24
    private static let texts = usual.flatMap { home in
        usual.map { Score(home: home, away: $0).newText }
    }

    private var newText: String { home.numeral + " - " + away.numeral }
}
