import BusdProtocol
import BusdViewModels

// A move in a byte, in memory as on disk: five bits for the player, three for the kind.

extension Move {
    init?(byte: UInt8) {
        guard let kind = Kind(number: byte & 7), let player = PlayerID(number: byte >> 3) else {
            return nil
        }
        self.init(kind, by: player)
    }

    var byte: UInt8 { player.number << 3 | kind.number }
}

extension Move.Kind {
    fileprivate init?(number: UInt8) {
        switch number {
        case 0: self = .onePoint
        case 1: self = .twoPoints
        case 2: self = .assist
        case 3: self = .rebound
        case 4: self = .foul
        default: return nil
        }
    }

    fileprivate var number: UInt8 {
        switch self {
        case .onePoint: 0
        case .twoPoints: 1
        case .assist: 2
        case .rebound: 3
        case .foul: 4
        }
    }
}

extension PlayerID {
    /// The home team's three are 0 to 2, the away team's 3 to 5.
    fileprivate init?(number: UInt8) {
        guard number < 6, let index = PlayerIndex(Int(number % 3))  // fits: a byte does
        else { return nil }
        self.init(side: number < 3 ? .home : .away, index: index)
    }

    fileprivate var number: UInt8 {
        UInt8(truncatingIfNeeded: index.value) + (side == .home ? 0 : 3)  // fits: there are three
    }
}
