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
    init(_ pairing: Pairing, for game: GameValues) {
        if ([game.address] + game.bench).allSatisfy(pairing.covers) {
            self = .scorekeeper(name: pairing.name)
        } else {
            self = .other(name: pairing.name, pattern: "\(pairing.to)")
        }
    }
}
