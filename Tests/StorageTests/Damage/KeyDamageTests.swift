import BusdProtocol
import BusdViewModels
import Glibc
import TestSupport
import Testing

@testable import BusdStorage

/// Keys are found by their addresses, which stand in the pages that lead to them, too. A byte of
/// one that is damaged must not hide others.
@Suite struct `A damaged address of a key` {
    private static let addresses = (0..<30).map { "scoreboard/\($0)/home/1" }
    private static let keysOfEach = 100

    private let folder: Folder

    init() throws { folder = try Folder() }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `costs that key at the most, and is named`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        try makeStore()
        var all = try bytes(of: folder.database)
        let place = try #require(places(in: all).randomElement(using: &random))
        all[place + random.number(0..<"scoreboard/".count)] ^= 1 << random.number(0..<7)
        try write(all, to: folder.database)
        #expect(try !Store.check(folder: folder.path).isEmpty)
        let keeper = try Keeper(folder)
        let known = try Self.addresses.map { try keeper.keys(of: address($0)).count }
        #expect(known.reduce(0, +) == Self.keysOfEach * known.count - 1)
        #expect(known.min() == Self.keysOfEach - 1)
        #expect(!keeper.store.findings.isEmpty || !keeper.findings.isEmpty)
    }

    /// The first is missed by its number; the others are no more in their order.
    @Test func `is named where the order is still right`() throws {
        try makeStore()
        var all = try bytes(of: folder.database)
        // The number 1 takes no byte in the file.
        let first = Array("scoreboard/0/home/1key 0".utf8)
        for place in places(in: all) where all[place...].starts(with: first) {
            all[place] = UInt8(ascii: "a")
        }
        try write(all, to: folder.database)
        let keeper = try Keeper(folder)
        #expect(keeper.store.findings == [])
        let zero = try address("scoreboard/0/home/1")
        #expect(try keeper.keys(of: zero).map(\.key) == (1..<100).map { "key \($0)" })
        #expect(keeper.findings == ["1 keys of \(zero) are lost: damaged"])
    }

    @Test func `is no part of a backup`() throws {
        try makeStore()
        var all = try bytes(of: folder.database)
        let places = places(in: all)
        all[places[places.count / 2]] ^= 2
        try write(all, to: folder.database)
        let copy = folder("copy.sqlite")
        let error = #expect(throws: StoreError.self) {
            try Store.backup(folder: folder.path, to: copy)
        }
        #expect(
            error?.description
                == "\(copy) is not written, because the store is damaged: "
                + "SQLITE_CORRUPT: row not in PRIMARY KEY order for keys")
        #expect(folder.names == ["store.ids", "store.lock", "store.sqlite"])
    }

    private func makeStore() throws {
        let keeper = try Keeper(folder, durability: .normal)
        for text in Self.addresses {
            for number in 0..<Self.keysOfEach {
                keeper.store.remember(key: "key \(number)", of: try address(text), answer: nil)
            }
        }
        // Sorts them in.
        keeper.store.forget(keysBelow: try address("games"))
        try keeper.keep()
        keeper.store.close()
    }

    /// Where addresses begin.
    private func places(in all: [UInt8]) -> [Int] {
        let start = Array("scoreboard/".utf8)
        return all.indices.filter { all[$0] == start[0] && all[$0...].starts(with: start) }
    }
}

/// The row of a key that is damaged costs that key, whatever comes afterwards.
@Suite struct `A damaged key` {
    private let folder: Folder
    private let (one, other): (Address, Address)

    init() throws {
        folder = try Folder()
        (one, other) = (try address("scoreboard/1"), try address("scoreboard/2"))
    }

    @Test(arguments: [true, false])
    func `does not take others along by its number`(isSorted: Bool) throws {
        try makeStore(isSorted: isSorted)
        try change("number = 16684", of: one, 300)
        let known = (1..<300).map { "1/\($0)" }
        for round in 0..<3 {
            let keeper = try Keeper(folder)
            let more = (0..<round).map { "more \($0)" }
            #expect(try keeper.keys(of: one).map(\.key) == known + more)
            keeper.store.remember(key: "more \(round)", of: one, answer: nil)
            try keeper.keep()
            // Sorts them in.
            if round == 1 { keeper.store.forget(keysBelow: try address("games")) }
            try keeper.keep()
            keeper.store.close()
        }
    }

    @Test func `does not take another's place`() throws {
        try makeStore(isSorted: false)
        try change("address = 'scoreboard/2'", of: one, 300)
        let keeper = try Keeper(folder)
        #expect(
            keeper.store.findings == ["1 keys of earlier sends are left out: a broken seal"])
        keeper.store.forget(keysBelow: try address("games"))
        try keeper.keep()
        #expect(try keeper.keys(of: other).map(\.key) == (1...300).map { "2/\($0)" })
        #expect(try keeper.keys(of: one).map(\.key) == (1..<300).map { "1/\($0)" })
        #expect(keeper.findings == [])
    }

    @Test(arguments: [0, -1, 1 << 31, Int.max])
    func `at no place that there is makes a store a damaged one`(place: Int) throws {
        try makeStore(isSorted: false)
        try Connection(path: folder.database)
            .execute("UPDATE recent_keys SET place = \(place) WHERE place = 600")
        let found = try Store.check(folder: folder.path)
        #expect(found.first == "SQLITE_CORRUPT: a key stands at \(place)")
        let keeper = try Keeper(folder)
        #expect(keeper.store.findings.count == 1)
        #expect(try keeper.keys(of: other).map(\.key) == (1...300).map { "2/\($0)" })
        keeper.store.remember(key: "more", of: other, answer: nil)
        try keeper.keep()
        #expect(try keeper.keys(of: other).last?.key == "more")
    }

    private func makeStore(isSorted: Bool) throws {
        let keeper = try Keeper(folder, durability: .normal)
        for number in 1...300 {
            keeper.store.remember(key: "1/\(number)", of: one, answer: nil)
            keeper.store.remember(key: "2/\(number)", of: other, answer: nil)
        }
        if isSorted { keeper.store.forget(keysBelow: try address("games")) }
        try keeper.keep()
        keeper.store.close()
    }

    private func change(_ what: String, of address: Address, _ number: Int) throws {
        for table in KeyRow.tables {
            try Connection(path: folder.database).execute(
                "UPDATE \(table) SET \(what) WHERE address = '\(address)' AND number = \(number)")
        }
    }
}
