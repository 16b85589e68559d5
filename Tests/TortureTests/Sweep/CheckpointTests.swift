import BusdGamesEvents
import BusdProtocol
import Glibc
import TestSupport
import Testing

extension Torture {
    /// During sends, a checkpoint copies the log into the database, or the log is made longer. One
    /// system call on either file fails or kills the daemon.
    @Suite(.serialized) struct CheckpointTests {
        @Test(arguments: ["signal=KILL", "error=EIO", "error=ENOSPC"], ["pwrite64", "fdatasync"])
        func `A fault in a checkpoint under load loses no acknowledged change`(
            effect: String, call: String
        ) throws {
            guard Strace.isInstalled() else { return }
            var random = Torture.random(for: "checkpoint \(effect) \(call)")
            // A checkpoint syncs the file once, and writes it several hundred times.
            var hit = call == "fdatasync" ? 1 : random.number(1...(Torture.isLong ? 9 : 600))
            var count = 0
            while true {
                let injection = "\(call):\(effect):when=\(hit)"
                let run = try CheckpointRun(injection, call, on: "/log.sqlite")
                guard try run.run() else { break }
                count += 1
                guard Torture.isLong else { break }
                hit += call == "fdatasync" ? 1 : random.number(5...40)
            }
            #expect(count > 0, "there was no checkpoint")
        }

        /// The writes are frames, and zeros behind them: 64 writes of zeros make room for 1,024
        /// frames.
        @Test(arguments: ["signal=KILL", "error=EIO", "error=ENOSPC"])
        func `A fault while the log is made longer loses no acknowledged change`(
            effect: String
        ) throws {
            guard Strace.isInstalled() else { return }
            var random = Torture.random(for: "longer log \(effect)")
            var hit = Torture.isLong ? 1 : random.number(1...600)
            repeat {
                let injection = "pwrite64:\(effect):when=\(hit)"
                let run = try CheckpointRun(injection, "pwrite64", on: "/log.sqlite-wal")
                #expect(try run.run())
                hit += random.number(2...10)
            } while Torture.isLong && hit <= 600
        }
    }
}

/// One client that adds many cards, four that play, and a daemon with one fault.
private final class CheckpointRun {
    private let injection: String
    private let call: String
    private let file: String
    private let folder: Folder
    /// The number of each client's next send, and the refusals of all clients.
    private var next = [0, 0, 0, 0, 0]
    private var refusals = 0
    private static let cardsPerSend = 400
    /// This many sends of cards fill the log, so that a checkpoint begins.
    private static let sends = 70
    /// A book has room for the cards of this many sends.
    private static let sendsPerBook = 15

    init(_ injection: String, _ call: String, on file: String) throws {
        self.injection = injection
        self.call = call
        self.file = file
        folder = try Folder()
        let daemon = try DaemonFixture(in: folder)
        let client = try daemon.connect()
        #expect(try client.ask(Line.createGame("Hawks", key: "game"))?.isDone == true)
        var shelf = ReferenceShelf()
        for book in 0...Self.sends / Self.sendsPerBook {
            let step = ReferenceShelf.Step.create("Kanji \(book)", cards: 1)
            let request = shelf.request(step, key: "book \(book)") { _ in nil }
            #expect(try client.ask(request)?.isDone == true)
            shelf.take(step)
        }
        // A proper stop, so that later only checkpoints write the file.
        daemon.stop()
    }

    /// Returns whether the fault occurred.
    func run() throws -> Bool {
        let options = ["-e", "trace=\(call)", "-e", "inject=\(injection)"]
        let log = folder("trace")
        let daemon = try DaemonFixture(
            in: folder, under: Strace.words(options, on: folder, files: [file], log: log))
        let isLost = try serve(daemon)
        daemon.process.signal(SIGTERM)
        // The daemon makes the last checkpoint when it ends.
        let status = daemon.process.end()
        let hasDied = status == 128 + SIGKILL
        #expect(hasDied || status == 0 && !isLost)
        let trace = String(decoding: try bytes(of: log), as: UTF8.self)
        let isHit = hasDied || trace.contains("(INJECTED)")

        let again = try DaemonFixture(in: folder)
        let client = try again.connect()
        let shown = try Library(client)
        for (index, sent) in next.enumerated() {
            let known = try #require(count(index, shown))
            #expect(sent...(sent + 1) ~= known, "client \(index): \(sent) sent, \(known) known")
        }
        // A request without an answer is sent again, and takes effect once.
        for index in next.indices {
            #expect(try client.ask(request(index))?.isDone == true)
            next[index] += 1
            #expect(try count(index, Library(client)) == next[index], "client \(index)")
        }
        again.stop()
        return isHit
    }

    /// Sends until all cards are sent, or the daemon dies. Returns whether it has died.
    private func serve(_ daemon: DaemonFixture) throws -> Bool {
        let clients = try next.indices.map { _ in try daemon.connect() }
        for index in next.indices { try clients[index].send(request(index)) }
        while next[0] < Self.sends, !clients.allSatisfy(\.hasEnded) {
            try #require(
                try Client.wait(for: clients.filter { !$0.hasEnded }, until: .deadline),
                "\(injection): nobody is answered")
            for (index, client) in clients.enumerated() {
                while let line = try client.takeLine() {
                    guard let answer = Answer(line) else { continue }
                    try received(answer, index)
                    try client.send(request(index))
                }
            }
        }
        return clients.allSatisfy(\.hasEnded)
    }

    private func received(_ answer: Answer, _ index: Int) throws {
        if answer.isDone {
            next[index] += 1
        } else {
            #expect(answer.code == .unavailable, "\(injection): \(answer)")
            refusals += 1
            try #require(refusals < 100, "\(injection): it does not recover")
        }
    }

    private func request(_ index: Int) -> String {
        let key = "client \(index), \(next[index])"
        guard index == 0 else {
            return Line.send(
                "\"foulMove\"", to: "scoreboard/1/\(Player.all[index])", key: key)
        }
        let first = next[0] * Self.cardsPerSend
        let cards = (first..<first + Self.cardsPerSend).map {
            #"{"front":"front of card \#($0)","back":"\#(String(repeating: "back ", count: 20))"}"#
        }
        let book = next[0] / Self.sendsPerBook + 1
        return Line.send(
            #"{"addCards":{"book":"\#(book)","cards":[\#(cards.joined(separator: ","))]}}"#,
            to: "books",
            key: key)
    }

    /// The number of the client's sends that took effect; `nil` if one took effect in part.
    private func count(_ index: Int, _ shown: Library) -> Int? {
        guard index == 0 else { return shown.games["1"]?.counts[index][MoveKind.foul.rawValue] }
        let cards = shown.shelf.books.map { $0.cards - 1 }
        guard cards.allSatisfy({ $0 % Self.cardsPerSend == 0 }) else { return nil }
        return cards.reduce(0, +) / Self.cardsPerSend
    }
}
