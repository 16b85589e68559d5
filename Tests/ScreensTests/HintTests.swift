import BusdScreensTestSupport
import BusdTerminal
import TestSupport
import Testing

@testable import BusdScreens

@Suite(.showsScreens) struct HintTests {
    private let hints = [
        Hint("space", "pause", .text(" "), rank: 1), Hint("n", "new game", .text("n"), rank: 2),
        Hint("q", "quit", .text("q")),
    ]

    @Test func `The least important hints are left out if there is no room`() {
        func drawn(_ columns: Int) -> String {
            text(columns, 1) { Hint.draw(hints, on: &$0, in: $1) }
        }
        #expect(drawn(33) == "space pause   n new game   q quit\n")
        #expect(drawn(32) == "space pause  n new game  q quit\n")
        #expect(drawn(30) == "space pause   q quit\n")
        #expect(drawn(18) == "q quit\n")
        #expect(drawn(5) == "")
    }

    @Test func `A click on a hint is its key`() {
        let picture = picture(40, 1) { Hint.draw(hints, on: &$0, in: $1) }
        #expect(picture.touch(at: Point(column: 4, row: 0)) == .key(.text(" ")))
        #expect(picture.touch(at: Point(column: 20, row: 0)) == .key(.text("n")))
        #expect(picture.touch(at: Point(column: 12, row: 0)) == nil)
    }

    @Test func `The bottom line shows the most urgent message`() {
        func drawn(_ line: StatusLine) -> String {
            text(50, line.rows(in: Area(Size(columns: 50, rows: 9)))) { line.draw(on: &$0, in: $1) }
        }
        var line = StatusLine(loss: nil, question: nil, notice: nil, hints: hints)
        #expect(drawn(line) == "space pause   n new game   q quit\n")
        line.notice = "refused: no"
        #expect(drawn(line) == "refused: no\n")
        line.loss = "no daemon listens at /run/busd.sock"
        #expect(drawn(line) == "reconnecting: refused: no\n")
        line.notice = nil
        #expect(drawn(line) == "reconnecting: no daemon listens at /run/busd.sock\n")
        line.hadConnection = false
        #expect(drawn(line) == "connecting: no daemon listens at /run/busd.sock\n")
        line.hadConnection = true
        line.waiting = 2
        #expect(
            drawn(line) == "reconnecting (2 to be sent): no daemon listens at\n/run/busd.sock\n")
        #expect(text(50, 1) { line.draw(on: &$0, in: $1) }.hasSuffix(" listens at…\n"))
        line = StatusLine(echo: "2 points of Ed", hints: hints)
        #expect(drawn(line) == "2 points of Ed\n")
        line.notice = "refused: no"
        #expect(drawn(line) == "refused: no\n")
        line.question = "Delete it?"
        #expect(drawn(line) == "Delete it?\n")
    }
}
