import Testing

@testable import BusdSite

@Suite struct SharedQuestionTests {
    @Test func `Questions that come during an answer share the next one`() {
        var asked: [(key: String, answer: (Int) -> Void)] = []
        var answers: [String] = []
        let questions = SharedQuestions<String, Int> { asked.append(($0, $1)) }
        for name in ["a", "b", "c"] { questions.ask("x") { answers.append("\(name)\($0)") } }
        questions.ask("y") { answers.append("y\($0)") }
        #expect(asked.map(\.key) == ["x", "y"])
        asked[0].answer(1)
        #expect(answers == ["a1"])
        #expect(asked.map(\.key) == ["x", "y", "x"])
        asked[1].answer(2)
        asked[2].answer(3)
        #expect(answers == ["a1", "y2", "b3", "c3"])
        questions.ask("x") { answers.append("d\($0)") }
        #expect(asked.count == 4)
        asked[3].answer(4)
        #expect(answers.last == "d4")
    }
}
