import BusdGamesEvents
import BusdProtocol

/// A move of a player, as the score keeper enters it.
public struct Move: Hashable, Sendable {
    typealias Kind = Plays.Move
    /// Kept, because another module computes `allCases` for each use.
    static let kinds = Kind.allCases

    let player: PlayerID
    let kind: Kind

    init(_ kind: Kind, by player: PlayerID) {
        self.player = player
        self.kind = kind
    }

    /// How many different moves there are.
    static let possibilities = PlayerID.all.count * kinds.count

    /// The number of this move among all different moves, from 0. Permanent: the log has it.
    var number: Int { player.number * Self.kinds.count + kind.number }

    static let all = PlayerID.all.flatMap { player in
        kinds.map { Move($0, by: player) }
    }

    /// `nil` unless there is a move with that number.
    init?(number: Int) {
        guard Self.all.indices.contains(number) else { return nil }
        self = Self.all[number]
    }

    // MARK: In the state of a game

    /// By `number`. Permanent: the stored state of a game has these letters.
    private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwx".utf8)

    var letter: UInt8 { Self.letters[number] }

    init?(letter: UInt8) {
        guard let number = Self.letters.firstIndex(of: letter) else { return nil }
        self.init(number: number)
    }
}
