import ViewModels

/// All that a store has to have in memory, and what was not as it should be.
struct Loaded: Sendable {
    var games: [(GameID, PackedGame)] = []
    var nextGame = GameID.first
    var books: [(BookID, PackedBook)] = []
    var nextBook = BookID.first
    /// Oldest first. They are read only where all of a store is.
    var keys: [KeyChange] = []
    /// Names and hashes.
    var users: [String: String] = [:]
    var findings: [String] = []
}
