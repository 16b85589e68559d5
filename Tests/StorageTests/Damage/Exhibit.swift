import BusdProtocol
import BusdViewModels
import Glibc
import TestSupport
import Testing

@testable import BusdStorage

/// A store with some of everything, made once, of which every row says in its own bytes which it
/// is: so what a page holds can be seen without knowing how SQLite lays out its pages.
struct Exhibit {
    let database: [UInt8]
    /// Made before the log was brought into the file.
    let log: [UInt8]
    let headOnly: [UInt8]
    let ids: [UInt8]
    let contents: Contents

    static let pageSize = 4096
    static let made = Result { try Exhibit() }

    private init() throws {
        let folder = try Folder()
        // With `normal` it would be brought into the file after a while.
        let keeper = try Keeper(folder, durability: .full)
        try Self.fill(keeper)
        try keeper.keep()
        try Self.deleteSome(keeper)
        try keeper.keep()
        log = try folder.writtenLog()
        headOnly = try bytes(of: folder.database)
        contents = try Contents(keeper)
        keeper.store.close()
        database = try bytes(of: folder.database)
        ids = try bytes(of: folder.ids)
    }

    var pageCount: Int { database.count / Self.pageSize }

    static func address(_ number: Int) throws -> Address {
        try #require(Address("scoreboard/\(number)"))
    }

    private static func fill(_ keeper: Keeper) throws {
        for number in 1...140 {
            let name = try Name("@g\(number)@")
            let team = try #require(Team(name: name, players: [name, name, name]))
            let id = keeper.games.create(home: team, away: team)
            let count = number % 20 == 0 ? 3 * number + 300 : number % 20
            for place in 0..<count {
                keeper.games.apply(.play(move(place, of: number)), to: id, at: .start)
            }
            for key in 0..<(number % 10 == 0 ? 20 : 0) {
                keeper.store.remember(
                    key: "@k\(number)/\(key)@", of: try address(number), answer: key...key)
            }
            if number % 7 == 0 { try keeper.keep() }
        }
        for number in 1...7 {
            let cards = (0..<(number == 2 ? 150 : 5 + number)).map { card($0, of: number) }
            let id = keeper.books.create(name: try Name("@b\(number)@"), cards: cards)
            for place in cards.indices { keeper.books.answer(isKnown: place % 3 == 0, in: id) }
            try keeper.keep()
        }
        for number in 1...40 {
            let hash = String(repeating: "@u\(number)@", count: 25)
            keeper.store.users.put(hash, for: "@u\(number)@")
        }
    }

    private static func deleteSome(_ keeper: Keeper) throws {
        for number in [3, 40, 41, 42, 43, 77, 120] { keeper.games.delete(try id(number)) }
        // So the other keys are sorted in, and those that come now are not.
        keeper.store.forget(keysBelow: try address(40))
        for key in 20..<60 {
            keeper.store.remember(key: "@k70/\(key)@", of: try address(70), answer: key...key)
        }
        keeper.books.delete(try bookID(4))
        keeper.store.users.remove("@u9@")
    }

    /// The last ones of books 3 and 5 are long, and go on on pages of their own.
    private static func card(_ place: Int, of book: Int) -> Card {
        let mark = "@c\(book)/\(place)@"
        let isLong = place > 4 && (book == 3 || book == 5)
        return Card(front: mark, back: String(repeating: mark, count: isLong ? 300 * place : 2))
    }

    /// In each chunk of 256 there is the number of the game: four fouls of one player, and then six
    /// digits of three kinds.
    private static func move(_ place: Int, of game: Int) -> Move {
        let kinds: [Move.Kind] = [.assist, .rebound, .foul]
        switch place % 256 {
        case 0..<4: return Move(.foul, by: PlayerID.all[4])
        case let digit where digit < 10:
            var rest = game
            for _ in 4..<digit { rest /= 3 }
            return Move(kinds[rest % 3], by: PlayerID.all[2])
        default: return Move(.assist, by: PlayerID.all[5])
        }
    }

    // MARK: What a page holds

    /// The marks on a page: `g7`, `b2`, `c2/14`, `u3`, `k7/1`.
    func marks(on page: Int) -> Set<String> {
        let bytes = database[(page - 1) * Self.pageSize..<page * Self.pageSize]
        var marks: Set<String> = []
        for part in bytes.split(separator: UInt8(ascii: "@")) where part.count < 12 {
            guard let first = part.first, "gbcuk".utf8.contains(first) else { continue }
            marks.insert(String(decoding: part, as: UTF8.self))
        }
        let start = [UInt8](repeating: 0x24, count: 4)
        for place in bytes.indices.dropLast(10) where bytes[place] == 0x24 {
            guard Array(bytes[place..<place + 4]) == start else { continue }
            let digits = bytes[(place + 4)..<(place + 10)].map { Int($0) - 0x12 }
            guard digits.allSatisfy((0..<3).contains) else { continue }
            marks.insert("g\(digits.reversed().reduce(0) { $0 * 3 + $1 })")
        }
        return marks
    }
}

/// All that a store shows.
struct Contents {
    var games: [Int: Game] = [:]
    /// By book.
    var cards: [Int: [String]] = [:]
    var isKnown: [Int: [Bool]] = [:]
    var users: [String: String] = [:]
    /// By game.
    var keys: [Int: [String]] = [:]
    var nextGame = 0
    var nextBook = 0
    /// Of all that is there, in the form of `Exhibit.marks`.
    private(set) var marks: Set<String> = []

    init(_ keeper: Keeper) throws {
        for id in keeper.games.summaries.map(\.id) {
            games[id.number] = keeper.games.game(id)
        }
        for id in keeper.books.summaries.map(\.id) {
            let book = try #require(keeper.books.book(id))
            #expect(book.name.text == "@b\(id.number)@")
            cards[id.number] = book.cards.map { "\($0.front) \($0.back)" }
            isKnown[id.number] = book.isKnown
        }
        for name in keeper.store.users.names { users[name] = keeper.store.users.hash(of: name) }
        for number in stride(from: 10, through: 140, by: 10) {
            let remembered = try keeper.keys(of: try Exhibit.address(number))
            keys[number] = remembered.map(\.key)
        }
        nextGame = keeper.games.ledger.nextID.number
        nextBook = keeper.books.ledger.nextID.number
        marks = allMarks()
    }

    private func allMarks() -> Set<String> {
        var marks = Set(games.keys.map { "g\($0)" } + cards.keys.map { "b\($0)" })
        let texts = Array(cards.values.joined()) + keys.values.joined() + users.keys
        for text in texts { marks.insert(String(text.dropFirst().prefix { $0 != "@" })) }
        return marks
    }
}
