import BusdProtocol
import BusdViewModels
import Glibc
import TestSupport
import Testing

@testable import BusdStorage

@Suite struct `A bell` {
    @Test func `is heard once, however often it was rung`() throws {
        let bell = try Bell()
        for _ in 1...200_000 { bell.ring() }
        #expect(bell.wait(milliseconds: 0))
        #expect(!bell.wait(milliseconds: 0))
    }

    @Test func `wakes another thread`() throws {
        let (there, back) = (try Bell(), try Bell())
        let thread = try ServiceThread {
            there.wait()
            back.ring()
        }
        #expect(!back.wait(milliseconds: 0))
        there.ring()
        #expect(back.wait(milliseconds: 60_000))
        thread.join()
    }
}

@Suite struct `A mailbox` {
    @Test func `hands jobs on in their order`() throws {
        let mailbox = try Mailbox()
        for name in ["a", "b", "c"] { mailbox.post(.copy(to: name)) }
        var (patience, names) = (Patience(), [String]())
        while case .copy(let name) = mailbox.next(within: 0, &patience) { names.append(name) }
        #expect(names == ["a", "b", "c"])
        let last = mailbox.next(within: 0, &patience)
        #expect(last == nil)
    }

    @Test func `gives an outcome once`() throws {
        let mailbox = try Mailbox()
        #expect(mailbox.takeCommitOutcome() == nil)
        mailbox.commitEnded(.success(()))
        #expect(mailbox.takeCopyOutcome() == nil)
        #expect(mailbox.takeCommitOutcome()?.isSuccess == true)
        #expect(mailbox.takeCommitOutcome() == nil)
    }

    @Test func `waits no longer than it has patience for a commit that is announced`() throws {
        let mailbox = try Mailbox()
        mailbox.announceCommit()
        mailbox.announceCommit()
        var patience = Patience()
        let none = mailbox.next(within: 0, &patience)
        #expect(none == nil)
        mailbox.post(.commit(Transaction()))
        mailbox.announceCommit()
        guard case .commit? = mailbox.next(within: 0, &patience) else { throw Unexpected() }
        #expect(mailbox.nextCommits().isEmpty)
    }

    @Test func `hands over together the commits that stand together`() throws {
        let mailbox = try Mailbox()
        for _ in 1...3 { mailbox.post(.commit(Transaction())) }
        mailbox.post(.goOn)
        mailbox.post(.commit(Transaction()))
        var patience = Patience()
        guard case .commit? = mailbox.next(within: 0, &patience) else { throw Unexpected() }
        #expect(mailbox.nextCommits().count == 2)
        #expect(mailbox.nextCommits().isEmpty)
        guard case .goOn? = mailbox.next(within: 0, &patience) else { throw Unexpected() }
        #expect(mailbox.nextCommits().count == 1)
    }

    private struct Unexpected: Error {}
}

@Suite struct `Transactions that are written as one` {
    private func game(_ moves: Int) throws -> PackedGame {
        var packed = PackedGame(home: try hawks(), away: try jets())
        var game = Game(home: try hawks(), away: try jets())
        for _ in 0..<moves { _ = game.apply(.play(Move(.foul, by: .home1)), at: .start) }
        packed.become(game, sameMoves: 0, at: .start)
        return packed
    }

    @Test func `write a game once, next to what is on disk`() throws {
        let (first, second) = (GameID.first, GameID.first.next)
        var all = Transaction()
        all.absorb(Transaction(games: [.put(first, try game(2), before: try game(1))]))
        all.absorb(
            Transaction(games: [
                .put(first, try game(3), before: try game(2)),
                .put(second, try game(0), before: nil),
            ]))
        all.absorb(Transaction(games: [.put(first, try game(4), before: try game(3))]))
        guard case .put(first, let kept, let before)? = all.games.first else {
            Issue.record("the first game is not the first: \(all.games)")
            return
        }
        #expect(kept == (try game(4)))
        #expect(before == (try game(1)))
        #expect(all.games.map(\.id) == [first, second])
    }

    @Test func `delete what one before has put`() throws {
        var all = Transaction(games: [.put(.first, try game(1), before: nil)])
        all.absorb(Transaction(games: [.delete(.first)]))
        guard case .delete(.first)? = all.games.last, all.games.count == 2 else {
            Issue.record("the game is not deleted at the end: \(all.games)")
            return
        }
    }

    @Test func `have the later ids, and all keys and users in their order`() throws {
        let key = KeyChange.remember(("a", nil), of: .literal("games"))
        var all = Transaction(
            nextGame: .first, nextBook: .first, keys: [key],
            users: [.put("ann", hash: "x")])
        all.absorb(Transaction(nextGame: GameID.first.next, users: [.remove("ann")]))
        all.absorb(Transaction(keys: [.forget(.literal("games"))]))
        #expect(all.nextGame == GameID.first.next)
        #expect(all.nextBook == .first)
        guard case .remember? = all.keys.first, case .forget? = all.keys.last,
            case .put? = all.users.first, case .remove? = all.users.last,
            all.keys.count == 2, all.users.count == 2
        else {
            Issue.record("not in their order: \(all)")
            return
        }
    }
}

@Suite struct `A packed game` {
    @Test func `has a byte for every move, which are on disk and stay what they are`() {
        var bytes: [UInt8] = []
        for player in PlayerID.all {
            for kind in [Move.Kind.onePoint, .twoPoints, .assist, .rebound, .foul] {
                bytes.append(Move(kind, by: player).byte)
            }
        }
        #expect(bytes == (0..<6).flatMap { player in (0..<5).map { UInt8(player * 8 + $0) } })
        for byte in UInt8.min...UInt8.max {
            #expect(Move(byte: byte)?.byte == (bytes.contains(byte) ? byte : nil))
        }
    }

    @Test func `becomes the same game again`() throws {
        var game = Game(home: try hawks(), away: try jets())
        _ = game.apply(.play(Move(.twoPoints, by: .away3)), at: .start)
        _ = game.apply(.togglePause, at: .seconds(3))
        var packed = PackedGame(home: game.home, away: game.away)
        packed.become(game, sameMoves: 0, at: .seconds(3))
        #expect(packed.thing == game)
        #expect(packed.teams == "Hawks\nAnn\nBo\nCy\nJets\nDi\nEd\nFlo")
        #expect(packed.summary(.first) == GameSummary(game, id: .first))
        packed.mark(at: .seconds(4))
        #expect(packed.elapsed == 1_000_000)
        #expect(packed.thing?.stopwatch.elapsed(at: .seconds(9)) == .seconds(6))
        _ = game.apply(.togglePause, at: .seconds(5))
        packed.become(game, sameMoves: 1, at: .seconds(9))
        packed.mark(at: .seconds(10))
        #expect(packed.elapsed == 2_000_000)
        #expect(packed.runningSince == nil)
    }

    @Test func `may have been played for all the time that there is`() throws {
        let teams = PackedGame(home: try hawks(), away: try jets()).teams
        var packed = try PackedGame(teams: teams, moves: [], elapsed: .max)
        var game = try #require(packed.thing)
        _ = game.apply(.togglePause, at: .start)
        packed.become(game, sameMoves: 0, at: .start)
        packed.mark(at: .seconds(1))
        #expect(packed.elapsed == .max)
    }

    @Test func `takes over the moves that are new`() throws {
        var game = Game(home: try hawks(), away: try jets())
        var packed = PackedGame(home: game.home, away: game.away)
        for kind in [Move.Kind.onePoint, .foul, .assist] {
            _ = game.apply(.play(Move(kind, by: .home1)), at: .start)
        }
        packed.become(game, sameMoves: 1, at: .start)
        for _ in 1...2 { _ = game.apply(.undo, at: .start) }
        _ = game.apply(.play(Move(.twoPoints, by: .away1)), at: .start)
        packed.become(game, sameMoves: 1, at: .start)
        #expect(packed.thing?.moves == game.moves)
        #expect(packed.score == Score(home: 1, away: 2))
    }

    @Test func `takes over what is new on both sides of the end of a chunk`() throws {
        var game = Game(home: try hawks(), away: try jets())
        var packed = PackedGame(home: game.home, away: game.away)
        let foul = GameAction.play(Move(.foul, by: .home1))
        for (undone, played) in [(0, 255), (0, 1), (0, 1), (2, 0), (1, 2), (3, 600), (400, 7)] {
            let before = game.moves.count
            for _ in 0..<undone { _ = game.apply(.undo, at: .start) }
            for _ in 0..<played { _ = game.apply(foul, at: .start) }
            packed.become(game, sameMoves: before - undone, at: .start)
            #expect(packed.thing?.moves == game.moves)
            #expect(packed.older.count == game.moves.count / 256 * 256)
        }
    }
}

@Suite struct `A seal` {
    @Test func `is another where anything else is`() {
        let rows = [
            GameRow(id: 1, teams: "a", elapsed: 0, chunks: 0, latest: []),
            GameRow(id: 2, teams: "a", elapsed: 0, chunks: 0, latest: []),
            GameRow(id: 1, teams: "b", elapsed: 0, chunks: 0, latest: []),
            GameRow(id: 1, teams: "a", elapsed: 1, chunks: 0, latest: []),
            GameRow(id: 1, teams: "a", elapsed: 0, chunks: 1, latest: []),
            GameRow(id: 1, teams: "a", elapsed: 0, chunks: 0, latest: [0]),
            GameRow(id: 1, teams: "a", elapsed: 0, chunks: 0, latest: [0, 0]),
        ]
        #expect(Set(rows.map(\.seal)).count == rows.count)
        let books = [
            BookRow(id: 1, rank: 0, name: "a", cards: 1, known: [0], asked: 0),
            BookRow(id: 2, rank: 0, name: "a", cards: 1, known: [0], asked: 0),
            BookRow(id: 1, rank: 1, name: "a", cards: 1, known: [0], asked: 0),
            BookRow(id: 1, rank: 0, name: "b", cards: 1, known: [0], asked: 0),
            BookRow(id: 1, rank: 0, name: "a", cards: 2, known: [0], asked: 0),
            BookRow(id: 1, rank: 0, name: "a", cards: 1, known: [1], asked: 0),
            BookRow(id: 1, rank: 0, name: "a", cards: 1, known: [0], asked: nil),
        ]
        #expect(Set(books.map(\.seal)).count == books.count)
        let cards = [
            CardRow(book: 1, place: 0, front: "ab", back: "c"),
            CardRow(book: 2, place: 0, front: "ab", back: "c"),
            CardRow(book: 1, place: 1, front: "ab", back: "c"),
            CardRow(book: 1, place: 0, front: "a", back: "bc"),
            CardRow(book: 1, place: 0, front: "ab", back: "d"),
        ]
        #expect(Set(cards.map(\.seal)).count == cards.count)
        #expect(Set([1, 2, 1 << 40].map { NextIDRow(next: $0).seal }).count == 3)
    }

    @Test func `stays the same for ever, because files have it`() {
        #expect(NextIDRow(next: 1).seal == -8_517_097_267_634_966_620)
        #expect(
            GameRow(id: 1, teams: "a", elapsed: 2, chunks: 3, latest: [4]).seal
                == 8_412_034_947_681_639_320)
        #expect(ChunkRow(game: 1, place: 2, moves: [3]).seal == -1_391_779_268_999_930_740)
        #expect(
            KeyRow(address: "a", number: 1, key: "k", first: 2, last: nil).seal
                == -6_110_287_154_534_625_570)
        #expect(
            BookRow(id: 1, rank: 2, name: "a", cards: 3, known: [5], asked: 1).seal
                == -420_461_241_104_223_666)
        #expect(CardRow(book: 1, place: 2, front: "a", back: "b").seal == 7_368_417_298_710_491_491)
        #expect(UserRow(name: "a", hash: "b").seal == 4_740_053_619_473_837_204)
    }
}

@Suite struct `A store that has more games than it unpacks` {
    @Test func `has every game right, whoever asks for which`() throws {
        let folder = try Folder()
        let keeper = try Keeper(folder, durability: .normal)
        for number in 1...600 {
            let id = try keeper.games.newGame()
            for _ in 0..<number % 7 { keeper.games.play(.foul, in: id) }
        }
        keeper.games.apply(.togglePause, to: try id(3), at: .seconds(1))
        try keeper.keep()
        #expect(keeper.games.ledger.unpacked.isEmpty)
        var random = SeededGenerator(seed: 1)
        for _ in 1...3000 {
            let number = random.number(1..<601)
            let game = try #require(keeper.games.game(try id(number)))
            #expect(game.moves.count == number % 7)
            #expect(game.isPaused == (number != 3))
        }
        #expect(keeper.games.ledger.unpacked.count <= 256)
    }

    @Test func `lets those that run go on`() throws {
        let keeper = try Keeper(try Folder(), durability: .none)
        for _ in 1...700 {
            keeper.games.apply(.togglePause, to: try keeper.games.newGame(), at: .seconds(1))
            try keeper.keep()
        }
        #expect(keeper.games.summaries.allSatisfy { $0.status == .running })
        #expect(keeper.games.game(.first)?.stopwatch.elapsed(at: .seconds(5)) == .seconds(4))
    }
}

@Suite struct `An error of the store` {
    @Test func `names its path, and says what is wrong in words`() {
        let full = SQLiteStatus(code: 13, message: "database or disk is full")
        #expect(
            StoreError.database(full, path: "/x").description
                == "/x: SQLITE_FULL: database or disk is full")
        #expect(StoreError.inUse(path: "/x", process: 7).description == "/x is in use by process 7")
        #expect(
            StoreError.inUse(path: "/x", process: nil).description
                == "/x is in use by another process")
        #expect(
            StoreError.file(path: "/x", function: "open", code: EACCES).description
                == "/x: open: Permission denied")
    }
}
