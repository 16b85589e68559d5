import BusdGamesEvents
import BusdProtocol

/// What a field is for.
enum FieldPlace: Hashable {
    case team(Side)
    case player(Side, PlayerIndex)
    case rule(Rule)

    /// A number that is chosen when a game is made.
    enum Rule: CaseIterable {
        case pointsToWin
        case margin
        /// Of a team.
        case players
    }

    /// In the order of the Tab key.
    ///
    /// - Parameter size: how many players each team has.
    static func all(size: Int) -> [FieldPlace] {
        names(size: size) + Rule.allCases.map { .rule($0) }
    }

    /// The fields for names, in the order of the Tab key.
    static func names(size: Int) -> [FieldPlace] {
        Side.allCases.flatMap { side in
            [.team(side)] + (0..<size).compactMap { PlayerIndex($0).map { .player(side, $0) } }
        }
    }

    /// The row below its side's head.
    var row: Int {
        switch self {
        case .team, .rule: 0
        case .player(_, let index): 1 + index.value
        }
    }

    /// The side that has the name. Nil for a rule, which both sides share.
    var side: Side? {
        switch self {
        case .team(let side), .player(let side, _): side
        case .rule: nil
        }
    }

    /// The event that changes a name; nil for a rule.
    func event(_ name: String) -> GameCreator.ViewEvent? {
        switch self {
        case .team(let side): .teamNameChanged(side: side, name: name)
        case .player(let side, let index):
            .playerNameChanged(side: side, index: index, name: name)
        case .rule: nil
        }
    }

    func name(in home: TeamDraft, _ away: TeamDraft) -> String? {
        guard let side else { return nil }
        let draft = side == .home ? home : away
        guard case .player(_, let index) = self else { return draft.name }
        return draft.players.indices.contains(index.value) ? draft.players[index.value] : nil
    }
}

extension FieldPlace.Rule {
    var allowed: ClosedRange<Int> {
        switch self {
        case .pointsToWin: GameRules.points
        case .margin: GameRules.margins
        case .players: Team.sizes
        }
    }

    var usual: Int {
        switch self {
        case .pointsToWin: GameRules.usual.pointsToWin
        case .margin: GameRules.usual.margin
        case .players: Team.usualSize
        }
    }

    func event(_ number: Int) -> GameCreator.ViewEvent {
        switch self {
        case .pointsToWin: .pointsToWinChanged(points: number)
        case .margin: .marginChanged(points: number)
        case .players: .playersChanged(count: number)
        }
    }

    /// - Parameter isShort: whether there is little room.
    func label(isShort: Bool) -> String {
        switch self {
        case .pointsToWin: isShort ? "Points" : "Points to win"
        case .margin: "Margin"
        case .players: "Players"
        }
    }
}
