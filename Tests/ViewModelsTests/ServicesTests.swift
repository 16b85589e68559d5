import BusdProtocol
import BusdViewModels
import Testing

@Suite struct `The feed of games` {
    private let feed = GamesFeed()
    private let owner = Owner()

    @Test func `tells players first, then the scoreboard, then the library`() throws {
        var heard: [String] = []
        feed.library.bind(owner) { _, _ in heard.append("library") }
        feed.followers(of: .first).scoreboard.bind(owner) { _, _ in heard.append("scoreboard") }
        feed.followers(of: .first).players.bind(owner) { _, _ in heard.append("player") }
        feed.tell(.changed(.first, try game()))
        #expect(heard == ["player", "scoreboard", "library"])
    }

    @Test func `tells followers of their game alone`() throws {
        var heard: [GameID] = []
        for id in [GameID.first, GameID.first.next] {
            feed.followers(of: id).players.bind(owner) { _, _ in heard.append(id) }
        }
        feed.tell(.changed(.first.next, try game()))
        feed.tell(.created(.first, try game()))
        #expect(heard == [.first.next])
    }

    @Test func `lets a change wait that is made while another is told`() throws {
        let game = try game()
        var heard: [String] = []
        feed.followers(of: .first).players.bind(owner) { [feed] _, _ in
            heard.append("player")
            if heard.count == 1 { feed.tell(.changed(.first, game)) }
        }
        feed.followers(of: .first).scoreboard.bind(owner) { _, _ in heard.append("scoreboard") }
        feed.library.bind(owner) { _, _ in heard.append("library") }
        feed.tell(.changed(.first, game))
        let once = ["player", "scoreboard", "library"]
        #expect(heard == once + once)
    }

    @Test func `tells a scoreboard of the end once`() throws {
        var heard: [Game?] = []
        feed.followers(of: .first).scoreboard.bind(owner) { heard.append($1) }
        feed.tell(.deleted(.first))
        feed.tell(.changed(.first, try game()))
        #expect(heard == [nil])
    }

    @Test func `tells newcomers alone what others know already, then all in their old order`()
        throws
    {
        let game = try game()
        var heard: [String] = []
        func follow(as name: String) {
            feed.followers(of: .first).scoreboard.bind(owner) { _, _ in
                heard.append("\(name) board")
            }
            feed.followers(of: .first).players.bind(owner) { _, _ in heard.append("\(name) player")
            }
        }
        follow(as: "old")
        let tell = feed.newcomers(to: .first) { follow(as: "new") }
        tell(game)
        #expect(heard == ["new player", "new board"])
        feed.tell(.changed(.first, game))
        #expect(heard.dropFirst(2) == ["old player", "new player", "old board", "new board"])
    }

    @Test func `forgets a game to which nobody has come`() throws {
        let before = feed.followers(of: .first)
        let tell = feed.newcomers(to: .first) {}
        #expect(feed.followers(of: .first) !== before)
        tell(try game())
    }

    private func game() throws -> Game { Game(home: try hawks(), away: try jets()) }
}

@Suite struct `Games in memory` {
    private let games = InMemoryGames()
    private let owner = Owner()
    private let now = Instant.seconds(1)

    @Test func `are numbered from 1, and no number is used again`() throws {
        #expect(games.create(home: try hawks(), away: try jets()).text == "1")
        #expect(games.create(home: try hawks(), away: try jets()).text == "2")
        let newest = try #require(GameID(2))
        games.delete(newest)
        #expect(games.create(home: try hawks(), away: try jets()).text == "3")
        #expect(games.game(newest) == nil)
    }

    @Test func `tell every change once, after it was made`() throws {
        var heard: [GamesChange] = []
        games.feed.library.bind(owner) { [games] _, change in
            heard.append(change)
            switch change {
            case .created(let id, let game), .changed(let id, let game),
                .restored(let id, let game):
                #expect(games.game(id) == game)
            case .deleted(let id), .withdrawn(let id): #expect(games.game(id) == nil)
            }
        }
        var game = Game(home: try hawks(), away: try jets())
        let id = games.create(home: try hawks(), away: try jets())
        #expect(heard == [.created(id, game)])
        games.apply(.togglePause, to: id, at: now)
        _ = game.apply(.togglePause, at: now)
        games.delete(id)
        #expect(heard.dropFirst() == [.changed(id, game), .deleted(id)])
    }

    @Test func `tell nothing where nothing changed`() throws {
        let id = games.create(home: try hawks(), away: try jets())
        var heard: [GamesChange] = []
        games.feed.library.bind(owner) { heard.append($1) }
        games.apply(.undo, to: id, at: now)
        games.apply(.togglePause, to: id.next, at: now)
        games.delete(id.next)
        #expect(heard == [])
    }

    @Test func `are listed newest first`() throws {
        let first = games.create(home: try hawks(), away: try jets())
        let second = games.create(home: try jets(), away: try hawks())
        games.apply(.togglePause, to: first, at: now)
        games.apply(.play(Move(.twoPoints, by: .away1)), to: first, at: now)
        #expect(
            games.summaries == [
                GameSummary(
                    id: second, home: try Name("Jets"), away: try Name("Hawks"), score: Score(),
                    status: .paused),
                GameSummary(
                    id: first, home: try Name("Hawks"), away: try Name("Jets"),
                    score: Score(home: 0, away: 2), status: .running),
            ])
    }
}

@Suite struct `A game's number` {
    @Test func `counts from 1`() {
        #expect(GameID(0) == nil)
        #expect(GameID(-1) == nil)
        #expect(GameID(1) == .first)
        #expect(GameID(2) == GameID.first.next)
        #expect(GameID.first < GameID.first.next)
    }

    @Test(arguments: ["0", "01", "+1", "-1", "", " 1", "1.0", "99999999999999999999"])
    func `is not read from text that it would not give`(text: String) {
        #expect(GameID(text) == nil)
    }

    @Test func `is read from its own text`() { #expect(GameID("4096")?.text == "4096") }
}

private final class Owner {}
