import BusdGamesEvents
import BusdProtocol
import Testing

@testable import scoreboard

@Suite struct PlainCommandTests {
    private func command(_ line: String) -> Result<PlainCommand, PlainCommand.Problem> {
        var names = ContentState.fiveEach
        names.away.players[4].apply(.name(text: "Bo"))
        names.home.players[2].apply(.name(text: "Cy Young"))
        return Result { () throws(PlainCommand.Problem) in try PlainCommand(line, names) }
    }

    @Test(arguments: [
        ("ann 2", PlainCommand.make(.twoPoint, PlayerChoice(side: .home, index: 0))),
        ("ED foul", .make(.foul, PlayerChoice(side: .away, index: 1))),
        ("cy young ast", .make(.assist, PlayerChoice(side: .home, index: 2))),
        ("m 1", .make(.onePoint, PlayerChoice(side: .away, index: 4))),
        ("Undo", .correct(.undo)), ("redo", .correct(.redo)), ("start", .start), ("pause", .pause),
        ("+10", .correct(.moveClock(10))), ("-1", .correct(.moveClock(-1))),
    ])
    func `A line is a command`(line: String, expected: PlainCommand) {
        #expect(command(line) == .success(expected))
    }

    @Test(arguments: [
        ("bo 2", "more than one player is called bo: write e or m instead"),
        ("zoe 2", "no player is called zoe"), ("ann", PlainCommand.help),
        ("ann 3", PlainCommand.help), ("+", PlainCommand.help),
        ("-99999999999999999999", PlainCommand.help),
    ])
    func `Another line says why it is no command`(line: String, why: String) {
        #expect(command(line) == .failure(PlainCommand.Problem(text: why)))
    }
}
