import BusdClient
import BusdEventLoop
import BusdProtocol
import TestSupport
import Testing

extension Torture {
    /// Each sync takes a second. The first commit to a new log makes two or three syncs.
    @Suite(.serialized) struct SlowDiskTests {
        @Test func `A durable send waits for the disk, and nothing else does`() throws {
            guard Strace.isInstalled() else { return }
            let folder = try Folder()
            let first = try DaemonFixture(in: folder)
            #expect(
                try first.connect().ask(Line.createGame("Hawks", key: "create"))?.isDone == true)
            // A proper stop, so that the next daemon has nothing to sync when it starts.
            first.stop()

            let options = ["-e", "trace=fdatasync", "-e", "inject=fdatasync:delay_enter=1000000"]
            let daemon = try DaemonFixture(
                in: folder, under: Strace.words(options, on: folder, log: folder("trace")))
            let scorer = try daemon.connect()
            let before = try Library(scorer)
            try scorer.send(
                Line.send("\"twoPointMove\"", to: "scoreboard/1/home/1", key: "move"))
            let viewer = try daemon.connect()
            try expectService(viewer, before)
            try scorer.send(#"{"op":"ping","id":"behind"}"#)
            let joined = try daemon.connect()
            try expectJoining(joined)
            #expect(try !scorer.hasLine(), "it was answered before the disk was")

            guard case .ok(_, .text("move")) = try scorer.line() else {
                Issue.record("the move is not answered first")
                return
            }
            guard case .ok(_, .text("behind")) = try scorer.line() else {
                Issue.record("who waits sees their own effect first")
                return
            }
            guard case .event(let event) = try joined.line(), event.name == "score" else {
                Issue.record("who joined meanwhile is not told of the move")
                return
            }
            #expect(!event.isSnapshot)
            #expect(try Library(viewer).games["1"]?.score == "2 - 0")
        }

        /// The sends fill all commits that may be under way, and more sends wait for a commit.
        @Test func `Reads and joins do not wait for commits under way`() throws {
            guard Strace.isInstalled() else { return }
            let folder = try Folder()
            let first = try DaemonFixture(in: folder)
            try prepare(first.connect())
            first.stop()

            let options = ["-e", "trace=fdatasync", "-e", "inject=fdatasync:delay_enter=1000000"]
            let daemon = try DaemonFixture(
                in: folder, under: Strace.words(options, on: folder, log: folder("trace")))
            let scorers = try Self.sends.map { event, address in
                let scorer = try daemon.connect()
                try scorer.send(
                    #"{"op":"send","to":"\#(address)","event":\#(event),"id":1}"#)
                // The next send is in another turn, and in another commit if one is free.
                #expect(try daemon.connect().ask("ping")?.isDone == true)
                return scorer
            }
            let viewer = try daemon.connect()
            try viewer.send(#"{"op":"subscribe","to":"**","only":["score","card"]}"#)
            var shown = Shown()
            try shown.readAvailable(viewer, until: "**")
            #expect(
                shown.values == ["scoreboard/1": "0 - 0", "scoreboard/2": "0 - 0", "study/1": "1"])
            let before = try Library(daemon.connect())
            #expect(before.games.map { $0.value.score } == ["0 - 0", "0 - 0"])
            for scorer in scorers { #expect(try !scorer.hasLine(), "the disk was not slow") }

            for scorer in scorers { #expect(try scorer.answer()?.isDone == true) }
            try viewer.send("ping")
            try shown.readAvailable(viewer, until: nil)
            #expect(shown.values == ["scoreboard/1": "6 - 0", "study/1": "3"])
            let after = try Library(daemon.connect())
            #expect(after.games["1"]?.score == "6 - 0" && after.games["2"] == nil)
        }

        private static let sends: [(event: String, address: String)] = [
            ("\"twoPointMove\"", "scoreboard/1/home/1"),
            ("\"twoPointMove\"", "scoreboard/2/home/1"),
            (#"{"addCards":{"book":"1","cards":[{"front":"g","back":"b"}]}}"#, "books"),
            ("\"twoPointMove\"", "scoreboard/1/home/2"),
            (#"{"deleteGame":{"game":"2"}}"#, "games"),
            (#"{"addCards":{"book":"1","cards":[{"front":"h","back":"b"}]}}"#, "books"),
            ("\"twoPointMove\"", "scoreboard/1/home/1"),
        ]

        private func prepare(_ client: Client) throws {
            let book = #"{"importBook":{"name":"Kana","cards":[{"front":"f","back":"b"}]}}"#
            for line in [
                Line.createGame("Hawks", key: "a"), Line.createGame("Jets", key: "b"),
                Line.send(book, to: "books", key: "c"),
            ] {
                #expect(try client.ask(line)?.isDone == true)
            }
        }

        /// The score of each scoreboard, and the number of cards of each book.
        private struct Shown {
            private(set) var values: [String: String] = [:]

            /// - Parameter pattern: reads until this pattern is live; `nil`: until an answer
            ///   arrives.
            mutating func readAvailable(_ viewer: Client, until pattern: String?) throws {
                while let line = try viewer.line() {
                    switch line {
                    case .event(let event):
                        let cards = event.event["card"]?["of"]?.integer.map { "\($0)" }
                        values[event.from.text] = event.event["score"]?["text"]?.text ?? cards
                    case .gone(let address): values[address.text] = nil
                    case .live(let live, nil) where live.text == pattern: return
                    case .ok where pattern == nil: return
                    default: break
                    }
                }
            }
        }

        private func expectService(_ viewer: Client, _ before: Library) throws {
            #expect(try viewer.ask("ping")?.isDone == true)
            let echo = try viewer.ask(
                #"{"op":"send","to":"echo/a","event":{"say":{"text":"a"}},"id":1}"#)
            #expect(echo?.isDone == true)
            #expect(try viewer.value("list")["viewModels"] != nil)
            let during = try Library(viewer)
            #expect(during.rows == before.rows && during.games == before.games)
        }

        private func expectJoining(_ joined: Client) throws {
            #expect(
                try joined.ask(
                    #"{"op":"subscribe","to":"scoreboard/1","only":["score"]}"#)?.isDone == true)
            guard case .event(let event) = try joined.line() else {
                Issue.record("there is no snapshot")
                return
            }
            #expect(event.isSnapshot && event.event["score"]?["text"]?.text == "0 - 0")
            guard case .live = try joined.line() else {
                Issue.record("it is not live")
                return
            }
        }
    }
}
