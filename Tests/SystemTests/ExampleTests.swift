import Glibc
import TestSupport
import Testing

/// Every script of Examples, with the real socat and jq.
struct ExampleTests {
    private let bus: BusFixture

    init() throws { bus = try BusFixture() }

    private func example(_ name: String) -> String { Package.path("Examples/\(name)") }

    @Test func `Each example has a test here`() throws {
        #expect(
            try Package.names(in: "Examples") == [
                "Bars", "Counter", "House", "Kitchen", "Page", "Proxies", "README.md", "Shopping",
                "Timer",
                "Transcripts",
                "Views",
                "add-book.sh",
                "follow-score.sh",
                "game.busd",
                "login.sh", "play-game.sh", "study.sh", "tmux-status.sh", "wait-for-end.sh",
            ])
    }

    @Test func `The example game, piped through socat, ends 15 to 13`() throws {
        let outcome = try bus.run(
            "socat", "-t5", "-", "UNIX-CONNECT:\(bus.socket)",
            input: try Package.text("Examples/game.busd"))
        outcome.expect(output: outcome.output)
        try Child.run(
            "jq", "-c", ".ok.events | add | .score.text, .finished, .paused", input: outcome.output
        ).expect(
            output: """
                "15 - 13"
                {"isFinished":true,"winner":"home"}
                {"isPaused":true}

                """)
    }

    @Test func `The play-game script creates a new game each time`() throws {
        for number in 1...2 {
            try bus.run(example("play-game.sh"))
                .expect(output: "scoreboard/\(number)\nHawks 15 - 13 Jets\n")
        }
    }

    @Test func `The house example goes on after one of its daemons is killed`() throws {
        try Child.run(example("House/house.sh"), try Products.folder).expect(
            output: """
                == Redis and three daemons start: court, wall and office
                == the first half is played through court
                wall shows: Hawks 6 - 4 Jets
                == court is killed
                == the second half is played through office
                wall shows: Hawks 15 - 13 Jets
                office shows: Hawks 15 - 13 Jets

                """)
    }

    @Test func `The play-game script plays another file, and reports its errors`() throws {
        try bus.folder.write(
            Self.newGame + "\nsend scoreboard/1/away/1 threePointMove\n", to: "wrong.busd")
        try bus.run(example("play-game.sh"), "0", bus.folder("wrong.busd")).expect(
            status: 5, output: "scoreboard/1\n", errors: "`player` has no event `threePointMove`\n")
    }

    @Test func `The follow-score script prints the current score and each change`() throws {
        let scorer = try bus.connect()
        try scorer.send(Self.newGame)
        let follower = try bus.start([example("follow-score.sh")])
        #expect(try follower.output.line() == "0 - 0")
        try scorer.send("send scoreboard/1/home/1 twoPointMove")
        #expect(try follower.output.line() == "2 - 0")
        try scorer.send("send scoreboard/1/home/2 foulMove")
        try scorer.send("send scoreboard/1/away/3 onePointMove")
        #expect(try follower.output.line() == "2 - 1")
        #expect(try bus.stop().status == 0)
        try follower.outcome().expect()
    }

    @Test func `The follow-score script reports a missing game`() throws {
        try bus.run(example("follow-score.sh"), "17")
            .expect(status: 5, errors: "there is no view model scoreboard/17\n")
    }

    @Test func `The wait-for-end script waits for the end, and prints the winner`() throws {
        let scorer = try bus.connect()
        try scorer.send(Self.newGame)
        let waiter = try bus.start([example("wait-for-end.sh")])
        try awaitView(of: "scoreboard/1", scorer)
        for _ in 1...8 { try scorer.send("send scoreboard/1/away/1 twoPointMove") }
        try waiter.outcome().expect(output: "Jets\n")
        try bus.run(example("wait-for-end.sh"), "1").expect(output: "Jets\n")
    }

    @Test func `The wait-for-end script reports a deleted or missing game`() throws {
        let scorer = try bus.connect()
        try scorer.send(Self.newGame)
        let waiter = try bus.start([example("wait-for-end.sh")])
        try awaitView(of: "scoreboard/1", scorer)
        try scorer.send(#"send games deleteGame {"game":"1"}"#)
        try waiter.outcome().expect(status: 1, errors: "the game has been deleted\n")
        try bus.run(example("wait-for-end.sh"))
            .expect(status: 1, errors: "there is no view model scoreboard/1\n")
    }

    @Test func `The tmux-status script prints the newest game, or the named game`() throws {
        func line(_ arguments: String...) throws -> Child.Outcome {
            try bus.start([example("tmux-status.sh")] + arguments).outcome()
        }
        try line().expect()
        let scorer = try bus.connect()
        try scorer.send(Self.newGame)
        try line().expect(output: "Hawks 0 - 0 Jets (paused)\n")
        try scorer.send("send scoreboard/1/away/1 onePointMove", "send scoreboard/1 togglePause")
        try line().expect(output: "Hawks 0 - 1 Jets\n")
        for _ in 1...8 { try scorer.send("send scoreboard/1/home/1 twoPointMove") }
        try line().expect(output: "Hawks 16 - 1 Jets (final)\n")
        try scorer.send(Self.newGame)
        try line().expect(output: "Hawks 0 - 0 Jets (paused)\n")
        try line("1").expect(output: "Hawks 16 - 1 Jets (final)\n")
        try line("9").expect()
        #expect(try bus.stop().status == 0)
        try line().expect()
    }

    /// Waits until a view is attached to the address.
    private func awaitView(of address: String, _ asker: Conversation) throws {
        try eventually("a view of \(address)") {
            try asker.ask("list \(address)")
        } is: {
            $0?.contains(#""views":0"#) == false
        }
    }

    private static let newGame = """
        send games createGame {"home":{"name":"Hawks","players":["Ann","Bo","Cy"]},\
        "away":{"name":"Jets","players":["Dee","Eli","Fay"]}}
        """
}
