import ViewModels

/// All that a store has to have in memory, and what was not as it should be.
struct Loaded: Sendable {
    var games: [(GameID, PackedGame)] = []
    var nextID = GameID.first
    var keys: [KeyWindow] = []
    var findings: [String] = []
}
