/// The pairing of the phone that opened the page.
struct Scorer {
    /// The name of the pairing.
    var name: String
    /// Whether the pairing covers the game and its players.
    var mayScore: Bool
}
