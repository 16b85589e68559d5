import BusClient
import EventLoop
import Protocol
import Testing

extension Torture {
    /// Syncs that take a second each; the first commit to a new log makes two or three.
    @Suite(.serialized) struct SlowDiskTests {
        @Test func `a durable send waits for the disk, and nothing else does`() throws {
            guard Strace.isHere() else { return }
            let room = try Room()
            let first = try Daemon(in: room)
            #expect(
                try first.connect().ask(Line.createGame("Hawks", key: "create"))?.isDone == true)
            // Properly, so that there is nothing to sync when the next one starts.
            first.stop()

            let options = ["-e", "trace=fdatasync", "-e", "inject=fdatasync:delay_enter=1000000"]
            let daemon = try Daemon(
                in: room, under: Strace.words(options, on: room, log: room("trace")))
            let scorer = try daemon.connect()
            let before = try Library(scorer)
            try scorer.send(
                Line.send("\"twoPointsMove\"", to: "scoreboard/1/home/1", key: "move"))
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
