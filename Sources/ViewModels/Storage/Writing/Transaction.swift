import ViewModels

/// All that one commit writes: plain values, made on the loop and carried to the writer's thread.
struct Transaction: Sendable {
    var games: [Write<PackedGame>] = []
    /// The id of the next game, where that has changed.
    var nextGame: GameID?
    var books: [Write<PackedBook>] = []
    var nextBook: BookID?
    var keys: [KeyChange] = []
    var users: [UserWrite] = []
}

enum UserWrite: Sendable {
    case put(String, hash: String)
    case remove(String)
}
