/// The pairing of the phone that opened the page of a game.
struct Scorer {
    /// The name of the pairing.
    var name: String
    /// What the pairing covers.
    var pattern: String
    /// Whether the pairing covers the game and its players.
    var mayScore: Bool
}

extension Scorer {
    init(_ pairing: Pairing, for game: GameValues) {
        self.init(
            name: pairing.name, pattern: "\(pairing.to)",
            mayScore: ([game.address] + game.bench).allSatisfy(pairing.covers))
    }
}
