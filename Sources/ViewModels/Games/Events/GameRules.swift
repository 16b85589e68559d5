import BusdProtocol

/// When a game is won.
public struct GameRules: Hashable, Sendable {
    /// What `pointsToWin` may be.
    public static let points = 1...99
    /// What `margin` may be.
    public static let margins = 1...5
    /// 15 points, two points ahead.
    public static let usual = GameRules(uncheckedPoints: 15, margin: 2)

    /// A team wins with so many points, if it is far enough ahead.
    public let pointsToWin: Int
    /// How many points the winner must be ahead.
    public let margin: Int

    /// `nil` unless `points` and `margins` have the values.
    public init?(pointsToWin: Int, margin: Int) {
        guard Self.points.contains(pointsToWin), Self.margins.contains(margin) else { return nil }
        self.init(uncheckedPoints: pointsToWin, margin: margin)
    }

    private init(uncheckedPoints: Int, margin: Int) {
        (pointsToWin, self.margin) = (uncheckedPoints, margin)
    }
}

extension GameRules: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let points = try container.decode(Int.self, forKey: .pointsToWin)
        let margin = try container.decode(Int.self, forKey: .margin)
        guard let rules = Self(pointsToWin: points, margin: margin) else {
            throw DecodingError.dataCorruptedError(
                forKey: .pointsToWin, in: container,
                debugDescription: "a game is to 1 to 99 points, won by 1 to 5")
        }
        self = rules
    }
}
