import BusdProtocol

/// The name that a field is for.
enum FieldPlace: Hashable {
    case team(Side)
    case player(Side, PlayerIndex)

    /// In the order of the Tab key.
    static let all: [FieldPlace] = Side.allCases.flatMap { side in
        [.team(side)]
            + (0..<Team.usualSize).compactMap { PlayerIndex($0).map { .player(side, $0) } }
    }

    var side: Side {
        switch self {
        case .team(let side), .player(let side, _): side
        }
    }

    /// The row below its side's head.
    var row: Int {
        switch self {
        case .team: 0
        case .player(_, let index): 1 + index.value
        }
    }

    func event(_ name: String) -> GameCreator.ViewEvent {
        switch self {
        case .team(let side): .teamNameChanged(side: side, name: name)
        case .player(let side, let index):
            .playerNameChanged(side: side, index: index, name: name)
        }
    }

    func name(in draft: TeamDraft) -> String? {
        switch self {
        case .team: draft.name
        case .player(_, let index):
            draft.players.indices.contains(index.value) ? draft.players[index.value] : nil
        }
    }
}
