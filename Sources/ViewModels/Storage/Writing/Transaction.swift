import ViewModels

/// All that one commit writes: plain values, made on the loop and carried to the writer's thread.
struct Transaction: Sendable {
    var games: [GameWrite] = []
    /// The id of the next game, where that has changed.
    var nextID: GameID?
    var keys: [RememberedKeys.Change] = []
    var users: [UserWrite] = []
}

enum GameWrite: Sendable {
    /// A new game, or what a game has become. On disk it has `before` moves, of which the first
    /// `common` are the same.
    case put(GameID, PackedGame, common: Int, before: Int)
    case delete(GameID)
}

enum UserWrite: Sendable {
    case put(String, hash: String)
    case remove(String)
}
