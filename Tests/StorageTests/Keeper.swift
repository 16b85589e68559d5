import BusdProtocol
import BusdViewModels
import Glibc
import TestSupport
import Testing

@testable import BusdStorage

/// Whoever keeps a store: commits, and waits for what comes of it.
final class Keeper {
    let store: Store
    let bell: Bell
    /// What was said of keys that were read.
    private(set) var findings: [String] = []

    init(
        _ folder: Folder, durability: Durability = .full, steps: [String] = Schema.steps
    ) throws {
        let bell = try Bell()
        self.bell = bell
        store = try Store(folder: folder.path, durability: durability, steps: steps) {
            bell.ring()
        }
    }

    var games: StoredGames { store.games }
    var books: StoredBooks { store.books }

    /// What came of all that has changed.
    @discardableResult
    func commit() throws -> Result<Void, StoreError> {
        store.commit()
        return try outcome()
    }

    /// All that has changed is on disk.
    func keep() throws {
        if store.hasChanges { try commit().get() }
    }

    func outcome() throws -> Result<Void, StoreError> {
        try waited { store.takeOutcome() }
    }

    /// Those that are on disk.
    func keys(of address: Address) throws -> [RememberedKey] {
        try waited {
            findings += store.takeRecalled().findings
            return store.recallKeys(of: address)
        }.get()
    }

    func backup(to path: String) throws -> Result<Void, StoreError> {
        store.backup(to: path)
        return try waited { store.takeBackupOutcome() }
    }

    /// Asks anew at each wake; a minute is for ever.
    private func waited<Value>(_ ask: () -> Value?) throws -> Value {
        let deadline = time(nil) + 60
        while true {
            if let value = ask() { return value }
            try #require(time(nil) < deadline, "nobody has woken the loop")
            bell.wait(milliseconds: 1000)
        }
    }
}

// MARK: Games to play with

func team(_ name: String, _ players: String...) throws -> Team {
    try #require(Team(name: try Name(name), players: try players.map { try Name($0) }))
}

func hawks() throws -> Team { try team("Hawks", "Ann", "Bo", "Cy") }
func jets() throws -> Team { try team("Jets", "Di", "Ed", "Flo") }

func address(_ text: String) throws -> Address { try #require(Address(text)) }
func id(_ number: Int) throws -> GameID { try #require(GameID(number)) }

extension BooksService {
    /// A book with so many cards.
    @discardableResult
    func newBook(_ name: String, cards count: Int = 3) throws -> BookID {
        create(name: try Name(name), cards: cards(count))
    }
}

/// They say which they are.
func cards(_ count: Int, from first: Int = 1) -> [Card] {
    (first..<first + count).map { Card(front: "front \($0)", back: "back \($0)") }
}

func bookID(_ number: Int) throws -> BookID { try #require(BookID(number)) }

extension PlayerID {
    static let home1 = all[0]
    static let away1 = all[3]
    static let away3 = all[5]
}

extension Instant {
    static let start = Instant(microseconds: 0)

    static func seconds(_ seconds: Double) -> Instant {
        Instant(microseconds: Int64((seconds * 1_000_000).rounded()))
    }
}

extension GamesService {
    /// A game of the Hawks and the Jets.
    func newGame() throws -> GameID { create(home: try hawks(), away: try jets()) }

    func play(_ kind: Move.Kind, by player: PlayerID = .home1, in id: GameID) {
        apply(.play(Move(kind, by: player)), to: id, at: .start)
    }
}

extension Result where Success == Void, Failure == StoreError {
    /// SQLite's name of what went wrong.
    var failureName: String? {
        guard case .failure(.database(let status, _)) = self else { return nil }
        return status.name
    }

    var failureText: String? {
        guard case .failure(let error) = self else { return nil }
        return error.description
    }

    var isSuccess: Bool {
        if case .success = self { true } else { false }
    }
}
