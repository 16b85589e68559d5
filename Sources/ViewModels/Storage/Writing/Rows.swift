// The rows of the tables, as they are read and written. Each knows its seal.

/// A row of `library` or of `shelf`, which have one each.
struct NextIDRow {
    let next: Int

    var seal: Int64 {
        var seal = Seal()
        seal.add(next)
        return seal.value
    }
}

/// A row of `games`. Its latest moves are in it, so that a move is one small write.
struct GameRow: Equatable {
    let id: Int
    let teams: String
    let elapsed: Int
    /// So many full chunks of older moves are in `moves`.
    let chunks: Int
    let latest: [UInt8]

    var seal: Int64 {
        var seal = Seal()
        seal.add(id)
        seal.add(teams.utf8)
        seal.add(elapsed)
        seal.add(chunks)
        seal.add(latest)
        return seal.value
    }
}

/// A row of `moves`: a full chunk of a long game.
struct ChunkRow: Equatable {
    static let size = 256

    let game: Int
    /// From 0, the oldest first.
    let place: Int
    let moves: [UInt8]

    var seal: Int64 {
        var seal = Seal()
        seal.add(game)
        seal.add(place)
        seal.add(moves)
        return seal.value
    }
}

/// A row of `books`.
struct BookRow: Equatable {
    let id: Int
    let rank: Int
    let name: String
    /// So many places for cards there are in `cards`.
    let cards: Int
    let known: [UInt8]
    let asked: Int?

    var seal: Int64 {
        var seal = Seal()
        seal.add(id)
        seal.add(rank)
        seal.add(name.utf8)
        seal.add(cards)
        seal.add(known)
        seal.add(asked ?? -1)
        return seal.value
    }
}

/// A row of `cards`.
struct CardRow: Equatable {
    let book: Int
    /// From 0.
    let place: Int
    let front: String
    let back: String

    var seal: Int64 {
        var seal = Seal()
        seal.add(book)
        seal.add(place)
        seal.add(front.utf8)
        seal.add(back.utf8)
        return seal.value
    }
}

/// A row of `keys`.
struct KeyRow: Equatable {
    let address: String
    /// Counts up, the oldest first.
    let number: Int
    let key: String
    /// The events that the `send` caused; both `nil` where it caused none.
    let first: Int?
    let last: Int?

    var seal: Int64 {
        var seal = Seal()
        seal.add(address.utf8)
        seal.add(number)
        seal.add(key.utf8)
        seal.add(first ?? 0)
        seal.add(last ?? 0)
        return seal.value
    }
}

/// A row of `users`.
struct UserRow: Equatable {
    let name: String
    let hash: String

    var seal: Int64 {
        var seal = Seal()
        seal.add(name.utf8)
        seal.add(hash.utf8)
        return seal.value
    }
}
