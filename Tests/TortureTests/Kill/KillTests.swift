import BusdClient
import BusdProtocol
import Glibc
import TestSupport
import Testing

extension Torture {
    /// `SIGKILL` at random moments, while seventeen clients write.
    @Suite(.serialized) struct KillTests {
        @Test func `Acknowledged changes survive a kill, and none is applied twice`() throws {
            let run = try KillRun(Torture.random(for: "kill"))
            let rounds = Torture.rounds ?? 3
            for round in 1...rounds { try run.round(round) }
            let acknowledged = try run.settle()
            print("kill: \(rounds) rounds, \(acknowledged) acknowledged")
            #expect(acknowledged > rounds)
        }
    }
}

/// Sixteen writers of games, one writer of books, one watcher, and a daemon that is killed.
final class KillRun {
    private let folder: Folder
    private var random: SeededGenerator
    private let games = SharedGames()
    private var open: [String] = []
    private let writers: [Writer]
    private let gameClients: [GameClient]
    private let bookClient: BookClient

    private var clients: [Client] = []
    private var watched: Int { writers.count + gameClients.count + 1 }

    init(_ random: SeededGenerator) throws {
        folder = try Folder()
        var random = random
        let games = self.games
        writers = (0..<12).map {
            Writer("writer\($0)", games, SeededGenerator(seed: random.next()))
        }
        gameClients = (12..<16).map {
            GameClient("keeper\($0)", SeededGenerator(seed: random.next()))
        }
        bookClient = BookClient(SeededGenerator(seed: random.next()))
        self.random = random
        let daemon = try DaemonFixture(in: folder)
        // The first game gets no points, so it never ends. The last game gets no moves; it only
        // runs.
        open = try (1...3).map { try addGame("Shared \($0)") }
        daemon.stop()
    }

    private func addGame(_ name: String) throws -> String {
        let client = try Client(folder.socket)
        #expect(try client.ask(Line.createGame(name, key: name))?.isDone == true)
        let id = try #require(try Library(client).row(named: name).first?.id)
        games.add(id)
        return id
    }

    // MARK: Rounds

    func round(_ number: Int) throws {
        if random.once(in: 4) { try killWhileStarting() }
        let daemon = try DaemonFixture(in: folder)
        let library = try Library(try daemon.connect())
        check(library)
        try replaceFinished(library, number)
        try begin(daemon)
        // Every sixth round is long enough for the clock of the running game.
        let isLong = number % 6 == 3
        let length = isLong ? random.number(1_000_000...2_000_000) : random.number(0...200_000)
        try serve(until: .after(microseconds: length), isLast: false)
        daemon.kill()
        while !haveAllEnded { try #require(try serveOnce(until: .deadline, isLast: true)) }
    }

    private func killWhileStarting() throws {
        let daemon = try DaemonFixture(starting: folder)
        _ = try daemon.isReady(before: .after(microseconds: random.number(0...60_000)))
        daemon.kill()
    }

    private func check(_ library: Library) {
        games.check(library, unanswered: writers.compactMap(\.unanswered))
        for gameClient in gameClients { gameClient.check(library) }
        bookClient.check(library.shelf)
    }

    /// Replaces games that can take no more moves, except the running game, which gets none.
    private func replaceFinished(_ library: Library, _ number: Int) throws {
        for place in open.indices.dropLast() {
            let id = open[place]
            guard games.full.contains(id) || library.games[id]?.isFinished == true else { continue }
            open[place] = try addGame("Shared again \(place) \(number)")
        }
    }

    private func begin(_ daemon: DaemonFixture) throws {
        let runs = open[open.count - 1]
        let start = Line.send(
            #""togglePause""#, to: "scoreboard/\(runs)", key: "start \(random.next())")
        #expect(try daemon.connect().ask(start)?.isDone == true)
        let watcher = try daemon.connect()
        try watcher.send(#"{"op":"subscribe","to":"**"}"#)
        clients = try (0..<watched).map { _ in try daemon.connect() }
        clients.append(watcher)
        for index in 0..<watched { try sendNext(index) }
    }

    // MARK: Serving the writers

    private var haveAllEnded: Bool { clients.allSatisfy(\.hasEnded) }

    private func serve(until moment: Moment, isLast: Bool) throws {
        while Moment.now < moment { try serveOnce(until: moment, isLast: isLast) }
    }

    /// False if nothing arrived until `moment`.
    @discardableResult
    private func serveOnce(until moment: Moment, isLast: Bool) throws -> Bool {
        let waiting = clients.filter { !$0.hasEnded }
        guard try Client.wait(for: waiting, until: moment) else { return false }
        for (index, client) in clients.enumerated() {
            while let line = try client.takeLine() {
                if index == watched { games.note(line) }
                guard index < watched, let answer = Answer(line) else { continue }
                received(answer, index)
                if !isLast { try sendNext(index) }
            }
        }
        return true
    }

    private func received(_ answer: Answer, _ index: Int) {
        if index < writers.count {
            writers[index].received(answer)
        } else if index < writers.count + gameClients.count {
            gameClients[index - writers.count].received(answer)
        } else {
            bookClient.received(answer)
        }
    }

    private func sendNext(_ index: Int) throws {
        if index < writers.count {
            try clients[index].send(writers[index].next(in: Array(open.dropLast())))
        } else if index < writers.count + gameClients.count {
            try clients[index].send(try gameClients[index - writers.count].next(id(of:)))
        } else {
            try clients[index].send(
                try bookClient.next { try Shelf.id(of: $0, Client(folder.socket)) })
        }
    }

    /// Uses a new connection, because the lookup skips all lines before its answer.
    private func id(of name: String) throws -> String {
        try #require(try Library.id(of: name, Client(folder.socket)), "there is no game \(name)")
    }

    // MARK: The end

    /// Sends unanswered requests again, and expects exactly the acknowledged state. Returns the
    /// number of acknowledged requests.
    func settle() throws -> Int {
        let daemon = try DaemonFixture(in: folder)
        check(try Library(try daemon.connect()))
        clients = try (0..<watched).map { _ in try daemon.connect() }
        for (index, writer) in writers.enumerated() where writer.unanswered != nil {
            try sendNext(index)
        }
        for (index, gameClient) in gameClients.enumerated() where !gameClient.isIdle {
            try sendNext(writers.count + index)
        }
        if !bookClient.isIdle { try sendNext(watched - 1) }
        while !areAllIdle {
            try #require(try serveOnce(until: .deadline, isLast: true))
        }
        daemon.stop()
        let again = try DaemonFixture(in: folder)
        check(try Library(try again.connect()))
        again.stop()
        return writers.map(\.acknowledged).reduce(0, +)
            + gameClients.map(\.acknowledged).reduce(bookClient.acknowledged, +)
    }

    private var areAllIdle: Bool {
        writers.allSatisfy { $0.unanswered == nil } && gameClients.allSatisfy(\.isIdle)
            && bookClient.isIdle
    }
}
