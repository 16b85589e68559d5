import BusdProtocol
import BusdViewModels
import TestSupport
import Testing

@testable import BusdStorage

@Suite struct `The keys of sends` {
    private let folder: Folder

    init() throws { folder = try Folder() }

    @Test func `are remembered with their answers, oldest first, before and after a restart`()
        throws
    {
        let games = try address("games")
        let keeper = try Keeper(folder, durability: .normal)
        keeper.store.remember(key: "b", of: games, answer: 4...6)
        keeper.store.remember(key: "a", of: games, answer: nil)
        #expect(try shown(keeper, games) == [])
        keeper.store.commit()
        keeper.store.remember(key: "c", of: games, answer: 7...7)
        try keeper.outcome().get()
        #expect(try shown(keeper, games) == ["b 4...6", "a -"])
        try keeper.keep()
        #expect(try shown(keeper, games) == ["b 4...6", "a -", "c 7...7"])
        #expect(try shown(reopened(keeper), games) == ["b 4...6", "a -", "c 7...7"])
    }

    @Test func `are told apart by their view models`() throws {
        let keeper = try Keeper(folder, durability: .normal)
        for text in ["scoreboard/1", "games", "scoreboard/1/home/1", "scoreboard/10"] {
            keeper.store.remember(key: "of \(text)", of: try address(text), answer: nil)
        }
        try keeper.keep()
        let again = try reopened(keeper)
        for text in ["games", "scoreboard/1", "scoreboard/1/home/1", "scoreboard/10"] {
            #expect(try again.keys(of: address(text)).map(\.key) == ["of \(text)"])
        }
        #expect(try again.keys(of: address("scoreboard")).isEmpty)
        #expect(try again.keys(of: address("zebra")).isEmpty)
    }

    @Test func `are the same to the code point, and no others are`() throws {
        let odd = [
            "\u{e9}", "e\u{301}", "a\u{0}b", "a", "😀", " ", "it's", "%", "_", "\u{feff}x",
            String(repeating: "ü", count: 100),
        ]
        let keeper = try Keeper(folder, durability: .normal)
        for key in odd { keeper.store.remember(key: key, of: try address("games"), answer: nil) }
        try keeper.keep()
        let found = try reopened(keeper).keys(of: address("games")).map(\.key)
        #expect(found.map { Array($0.utf8) } == odd.map { Array($0.utf8) })
    }

    @Test func `are the last 1,024 of each view model`() throws {
        let (one, other) = (try address("scoreboard/1"), try address("scoreboard/2"))
        var keeper = try Keeper(folder, durability: .full)
        keeper.store.remember(key: "stays", of: other, answer: nil)
        for round in 0..<3 {
            for number in 0..<700 {
                keeper.store.remember(key: "\(round * 700 + number)", of: one, answer: nil)
            }
            let last = (round + 1) * 700
            let expected = (max(0, last - 1024)..<last).map(String.init)
            try keeper.keep()
            #expect(try keeper.keys(of: one).map(\.key) == expected)
            keeper = try reopened(keeper, .full)
            #expect(try keeper.keys(of: one).map(\.key) == expected)
        }
        #expect(try keeper.keys(of: other).map(\.key) == ["stays"])
        keeper.store.close()
        // To sort them in at a start would take room that there may not be.
        #expect(try count("keys") == 0)
        #expect(try count("recent_keys") == 2_100 + 1)
    }

    @Test func `are sorted in when there are many that came lately`() throws {
        let addresses = try (1...50).map { try address("scoreboard/\($0)") }
        let keeper = try Keeper(folder, durability: .full)
        for round in 0..<3 {
            for number in 0..<300 {
                for address in addresses {
                    let key = "\(300 * round + number) of \(address)"
                    keeper.store.remember(key: key, of: address, answer: nil)
                }
            }
            try keeper.keep()
            for address in addresses {
                let keys = (0..<300 * (round + 1)).map { "\($0) of \(address)" }
                #expect(try keeper.keys(of: address).map(\.key) == keys)
            }
        }
        keeper.store.close()
        #expect(try count("keys") == 45_000)
        #expect(try count("recent_keys") == 0)
        #expect(try Store.check(folder: folder.path) == [])
    }

    @Test func `are known where they can't be sorted in, and are when there is room`() throws {
        let one = try address("scoreboard/1")
        let keeper = try Keeper(folder)
        keeper.store.limit(pages: 500)
        let keys = (0..<33_000).map { "\($0)" }
        for key in keys { keeper.store.remember(key: key, of: one, answer: nil) }
        try keeper.keep()
        #expect(try keeper.keys(of: one).map(\.key) == keys.suffix(1024))
        keeper.store.remember(key: "last", of: one, answer: nil)
        try keeper.keep()
        #expect(try keeper.keys(of: one).map(\.key) == keys.suffix(1023) + ["last"])
        keeper.store.limit(pages: 10_000)
        // It is not tried again with every commit.
        let more = (0..<1024).map { "more \($0)" }
        for key in more { keeper.store.remember(key: key, of: one, answer: nil) }
        try keeper.keep()
        #expect(try keeper.keys(of: one).map(\.key) == more)
        keeper.store.close()
        #expect(try count("keys") == 1024)
        #expect(try count("recent_keys") == 0)
    }

    @Test func `are forgotten with their game, and those of no other`() throws {
        let texts = [
            "games", "scoreboard/1", "scoreboard/1-x", "scoreboard/1.x", "scoreboard/1/away/3",
            "scoreboard/1/home/1", "scoreboard/10", "scoreboard/10/home/1", "scoreboard/2",
        ]
        var keeper = try Keeper(folder, durability: .normal)
        for text in texts { keeper.store.remember(key: text, of: try address(text), answer: nil) }
        try keeper.keep()
        keeper.store.forget(keysBelow: try address("scoreboard/1"))
        let left = texts.filter { $0 != "scoreboard/1" && !$0.hasPrefix("scoreboard/1/") }
        try keeper.keep()
        for _ in 1...2 {
            for text in texts {
                let count = left.contains(text) ? 1 : 0
                #expect(try keeper.keys(of: address(text)).count == count, "\(text)")
            }
            keeper = try reopened(keeper)
        }
    }

    @Test func `can be remembered, forgotten and remembered anew in one turn`() throws {
        let board = try address("scoreboard/1")
        let keeper = try Keeper(folder, durability: .normal)
        keeper.store.remember(key: "old", of: board, answer: nil)
        keeper.store.forget(keysBelow: board)
        keeper.store.remember(key: "new", of: board, answer: 1...1)
        try keeper.keep()
        #expect(try shown(keeper, board) == ["new 1...1"])
        #expect(try shown(reopened(keeper), board) == ["new 1...1"])
    }

    @Test func `can be forgotten where there are none`() throws {
        let keeper = try Keeper(folder, durability: .normal)
        for text in ["games", "a/b/c/d/e/f/g/h", String(repeating: "a", count: 200)] {
            keeper.store.forget(keysBelow: try address(text))
        }
        try keeper.keep()
    }

    @Test(arguments: 1...10 as ClosedRange<UInt64>)
    func `are those of a plain list, whatever is done`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let addresses = try ["a", "a/1", "a/1/x", "a/2", "a-b", "b", "a/1/x/y"].map(address)
        var keeper = try Keeper(folder, durability: .normal)
        var plain: [Address: [String]] = [:]
        for _ in 1...60 {
            for _ in 0..<random.number(0..<80) {
                let address = addresses[random.number(0..<addresses.count)]
                let first = random.number(1..<1 << 40)
                let answer = random.once(in: 3) ? nil : first...(first + random.number(0..<300))
                let key = String(repeating: "k", count: random.number(1..<200))
                keeper.store.remember(key: key, of: address, answer: answer)
                let text = "\(key) \(answer.map(\.description) ?? "-")"
                plain[address] = ((plain[address] ?? []) + [text]).suffix(1024)
            }
            if random.once(in: 8) {
                let root = addresses[random.number(0..<addresses.count)]
                keeper.store.forget(keysBelow: root)
                for address in addresses where address == root || address.isBelow(root) {
                    plain[address] = nil
                }
            }
            if random.once(in: 2) { try keeper.keep() }
            if random.once(in: 10) {
                try keeper.keep()
                keeper = try reopened(keeper)
            }
        }
        try keeper.keep()
        for address in addresses { #expect(try shown(keeper, address) == plain[address] ?? []) }
        #expect(keeper.findings == [])
    }

    private func count(_ table: String) throws -> Int {
        try Connection(path: folder.database).integer("SELECT count(*) FROM \(table)")
    }

    private func reopened(
        _ keeper: Keeper, _ durability: Durability = .normal
    ) throws -> Keeper {
        keeper.store.close()
        let again = try Keeper(folder, durability: durability)
        #expect(again.store.findings == [])
        return again
    }

    private func shown(_ keeper: Keeper, _ address: Address) throws -> [String] {
        try keeper.keys(of: address).map { "\($0.key) \($0.answer?.description ?? "-")" }
    }
}

@Suite struct `Keys that are read` {
    private let folder: Folder
    private let games: Address

    init() throws {
        folder = try Folder()
        games = try address("games")
    }

    @Test func `have no part in a start`() throws {
        let keeper = try Keeper(folder, durability: .normal)
        keeper.store.remember(key: "a", of: games, answer: nil)
        try keeper.keep()
        #expect(!keeper.store.takeRecalled().isNew)
        #expect(keeper.store.recallKeys(of: games) == nil)
        // It is read once, whoever asks meanwhile.
        #expect(keeper.store.recallKeys(of: games) == nil)
        #expect(try keeper.keys(of: games).map(\.key) == ["a"])
        #expect(!keeper.store.takeRecalled().isNew)
    }

    @Test func `come after the commit that is on its way`() throws {
        let keeper = try Keeper(folder)
        keeper.store.remember(key: "a", of: games, answer: nil)
        keeper.store.commit()
        #expect(try keeper.keys(of: games).map(\.key) == ["a"])
        try keeper.outcome().get()
    }

    @Test func `are not held for those who have gone`() throws {
        let keeper = try Keeper(folder, durability: .normal)
        let other = try address("scoreboard/1")
        keeper.store.remember(key: "a", of: games, answer: nil)
        try keeper.keep()
        #expect(keeper.store.recallKeys(of: games) == nil)
        // Two are read; who asked for the first has gone.
        #expect(try keeper.keys(of: other).isEmpty)
        #expect(try keeper.keys(of: try address("scoreboard/2")).isEmpty)
        keeper.store.remember(key: "b", of: games, answer: nil)
        try keeper.keep()
        #expect(try keeper.keys(of: games).map(\.key) == ["a", "b"])
    }

    @Test func `can't be read where the disk fails, and can when it works again`() throws {
        let keeper = try Keeper(folder)
        keeper.store.remember(key: "a", of: games, answer: nil)
        try keeper.keep()
        // After a commit that fails everything is opened anew.
        keeper.store.limit(pages: 1)
        for _ in 1...200 { _ = try keeper.games.newGame() }
        #expect(try keeper.commit().failureName == "SQLITE_FULL")
        keeper.store.rollBack()
        let log = try bytes(of: folder.log)
        try write(Array(log.prefix(100)), to: folder.log)
        let error = #expect(throws: StoreError.self) { try keeper.keys(of: games) }
        #expect(error?.description == "\(folder.log) is shorter than what has been written to it")
        #expect(
            keeper.findings == [
                "the keys of games can't be read: "
                    + "\(folder.log) is shorter than what has been written to it"
            ])
        try write(log, to: folder.log)
        #expect(try keeper.keys(of: games).map(\.key) == ["a"])
    }
}
