import BusdSite

/// The phone that opened the page of a game.
enum Scorer {
    /// Its pairing covers the game and its players.
    case scorekeeper(name: String)
    /// Its pairing is for something else.
    case other(name: String, pattern: String)
    /// Its pairing has ended, or is one of another server on this machine.
    case former
}

extension Scorer {
    /// Nil: a browser that looks.
    init?(_ visitor: Visitor, for game: GameValues) {
        switch visitor {
        case .browser: return nil
        case .formerPhone: self = .former
        case .phone(let pairing):
            let isKeeper = ([game.address] + game.bench).allSatisfy(pairing.covers)
            self =
                isKeeper
                ? .scorekeeper(name: pairing.name)
                : .other(name: pairing.name, pattern: "\(pairing.to)")
        }
    }
}
