import BusdGamesEvents
import BusdProtocol
import BusdTerminal

/// The chosen player.
struct PlayerChoice: Hashable {
    var side = Side.home
    /// From 0.
    var index = 0

    /// The choice after this key; nil if the key does not choose a player.
    ///
    /// - Parameter size: how many players each team has.
    func after(_ key: Key, size: Int) -> PlayerChoice? {
        switch key {
        case .up: PlayerChoice(side: side, index: (index + size - 1) % size)
        case .down: PlayerChoice(side: side, index: (index + 1) % size)
        case .left, .right: PlayerChoice(side: side.other, index: index)
        case .tab: stepped(by: 1, size)
        case .backTab: stepped(by: -1, size)
        default: nil
        }
    }

    /// The player's number among all, from 0: the home team's, then the away team's.
    func number(size: Int) -> Int { index + (side == .home ? 0 : size) }

    /// The key that chooses the player. No command has one of these keys.
    var letter: Unicode.Scalar { Self.letters(side)[index % Self.letters(side).count] }

    private static func letters(_ side: Side) -> [Unicode.Scalar] {
        side == .home ? ["w", "e", "s", "d", "x"] : ["i", "o", "k", "j", "m"]
    }

    /// The player with this letter; nil if there is none.
    init?(letter key: Key, size: Int) {
        let all = (0..<2 * size).compactMap { PlayerChoice(number: $0, size: size) }
        guard let choice = all.first(where: { key == .text($0.letter) }) else { return nil }
        self = choice
    }

    init(side: Side = .home, index: Int = 0) {
        self.side = side
        self.index = index
    }

    init?(number: Int, size: Int) {
        guard (0..<2 * size).contains(number) else { return nil }
        self.init(side: number < size ? .home : .away, index: number % size)
    }

    private func stepped(by step: Int, _ size: Int) -> PlayerChoice {
        let count = 2 * size
        return PlayerChoice(number: (number(size: size) + step + count) % count, size: size) ?? self
    }
}
