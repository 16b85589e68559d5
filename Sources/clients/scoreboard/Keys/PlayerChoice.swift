import BusdProtocol
import BusdTerminal

/// The chosen player.
struct PlayerChoice: Hashable {
    var side = Side.home
    /// From 0.
    var index = 0

    private static let all = Side.allCases.flatMap { side in
        (0..<Team.size).map { PlayerChoice(side: side, index: $0) }
    }

    /// The choice after this key; nil if the key does not choose a player.
    func after(_ key: Key) -> PlayerChoice? {
        switch key {
        case .up: PlayerChoice(side: side, index: (index + Team.size - 1) % Team.size)
        case .down: PlayerChoice(side: side, index: (index + 1) % Team.size)
        case .left, .right: PlayerChoice(side: side.other, index: index)
        case .tab: stepped(by: 1)
        case .backTab: stepped(by: -1)
        default: nil
        }
    }

    /// The player's number among all six, from 0.
    var number: Int { Self.all.firstIndex(of: self) ?? 0 }

    init(side: Side = .home, index: Int = 0) {
        self.side = side
        self.index = index
    }

    init?(number: Int) {
        guard Self.all.indices.contains(number) else { return nil }
        self = Self.all[number]
    }

    private func stepped(by step: Int) -> PlayerChoice {
        Self.all[(number + step + Self.all.count) % Self.all.count]
    }
}
