import BusdGamesEvents
import BusdProtocol
import TestSupport
import Testing

extension Torture {
    /// `busd backup` beside a daemon that serves and writes.
    @Suite(.serialized) struct BackupTests {
        private static let writers = 6

        @Test func `A backup made under load is whole and has all changes acknowledged before it`()
            throws
        {
            let folder = try Folder()
            let daemon = try DaemonFixture(in: folder)
            let client = try daemon.connect()
            #expect(try client.ask(Line.createGame("Hawks", key: "game"))?.isDone == true)
            var shelf = ReferenceShelf()
            let book = ReferenceShelf.Step.create("Kanji", cards: 300)
            #expect(try client.ask(shelf.request(book, key: "book") { _ in nil })?.isDone == true)
            shelf.take(book)

            let clients = try (0..<Self.writers).map { _ in try daemon.connect() }
            var done = [Int](repeating: 0, count: Self.writers)
            for index in done.indices { try clients[index].send(request(index, done[index])) }
            for number in 1...(Torture.isLong ? 50 : 3) {
                let copy = folder("copy \(number)")
                try serve(clients, &done, until: .after(microseconds: 50_000))
                let before = done
                let backup = try Spawned([
                    try Programs.daemon(), "backup", copy, "--state", folder.state,
                ])
                // The writers go on meanwhile.
                while try backup.await(until: .after(microseconds: 1_000), { _ in true }) == nil {
                    try serve(clients, &done, until: .after(microseconds: 1_000))
                }
                #expect(backup.end() == 0, "\(backup.lines)")
                #expect(backup.lines.last == "\(copy): the copy is complete")
                try expect(copy, before, done)
            }
            try serve(clients, &done, until: .after(microseconds: 50_000))
            daemon.stop()
        }

        private func serve(
            _ clients: [Client], _ done: inout [Int], until moment: Moment
        ) throws {
            repeat {
                guard try Client.wait(for: clients, until: moment) else { return }
                for (index, client) in clients.enumerated() {
                    while let line = try client.takeLine() {
                        guard let answer = Answer(line) else { continue }
                        #expect(answer.isDone, "\(answer)")
                        done[index] += 1
                        try client.send(request(index, done[index]))
                    }
                }
            } while Moment.now < moment
        }

        /// The last writer studies a book, the others send moves of the game.
        private func request(_ index: Int, _ number: Int) -> String {
            let key = "writer \(index), \(number)"
            guard index == Self.writers - 1 else {
                return Line.send(
                    "\"foulMove\"", to: "scoreboard/1/\(Player.all[index])", key: key)
            }
            return #"{"op":"send","to":"study/1","event":"reveal"}"# + "\n"
                + Line.send("\"unknown\"", to: "study/1", key: key)
        }

        /// Checks the copy, starts a daemon on it, and compares the counts with the answers.
        private func expect(_ copy: String, _ before: [Int], _ after: [Int]) throws {
            let folder = try Folder()
            #expect(try Spawned.run(["mkdir", "-m", "700", folder.state]).isSuccess)
            #expect(try Spawned.run(["cp", copy, "\(folder.state)/store.sqlite"]).isSuccess)
            let check = try Spawned.run([try Programs.daemon(), "check", "--state", folder.state])
            #expect(check.isSuccess, "\(check.lines)")
            let daemon = try DaemonFixture(in: folder)
            let shown = try Library(try daemon.connect())
            for index in 0..<Self.writers - 1 {
                let fouls = shown.games["1"]?.counts[index][MoveKind.foul.rawValue] ?? -1
                #expect(before[index]...(after[index] + 1) ~= fouls, "writer \(index)")
            }
            let asked = try #require(shown.shelf.books.first?.asked)
            // The study asks its 300 cards again and again.
            let last = Self.writers - 1
            #expect((before[last]...(after[last] + 1)).contains { $0 % 300 + 1 == asked })
            daemon.stop()
        }
    }
}
