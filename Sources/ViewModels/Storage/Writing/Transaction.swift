import BusdViewModels

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

extension Transaction {
    /// Takes another one in that comes right behind it: a thing that both write is written once.
    mutating func absorb(_ next: Transaction) {
        games.absorb(next.games)
        nextGame = next.nextGame ?? nextGame
        books.absorb(next.books)
        nextBook = next.nextBook ?? nextBook
        keys += next.keys
        users += next.users
    }
}

extension Array {
    fileprivate mutating func absorb<Kept>(_ next: Self) where Element == Write<Kept> {
        guard !isEmpty else {
            self = next
            return
        }
        let places = Dictionary(zip(map(\.id), indices)) { $1 }
        for write in next {
            switch (write, places[write.id].map { self[$0] }) {
            case (.put(let id, let kept, _), .put(_, _, let before)):
                if let place = places[id] { self[place] = .put(id, kept, before: before) }
            default: append(write)
            }
        }
    }
}
