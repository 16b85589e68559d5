import BusdProtocol
import TestSupport
import Testing

@Suite struct MergedLinesTests {
    private func merged(_ base: String, _ theirs: String, _ mine: String) -> String {
        MergedLines(base: base, theirs: theirs, mine: mine).text
    }

    @Test func `A side that changed nothing takes the other side's text`() {
        #expect(merged("a\nb", "a\nb", "a\nc") == "a\nc")
        #expect(merged("a\nb", "a\nc", "a\nb") == "a\nc")
        #expect(merged("a\nb", "", "a\nb") == "")
        #expect(merged("", "", "") == "")
    }

    @Test func `Changes of different lines are both in the result`() {
        #expect(merged("a\nb\nc", "A\nb\nc", "a\nb\nC") == "A\nb\nC")
        #expect(merged("a\nb\nc", "b\nc", "a\nb\nc\nd") == "b\nc\nd")
        #expect(merged("a\nb\nc\nd\ne", "a\nx\nb\nc\nd\ne", "a\nb\nc\nD\ne") == "a\nx\nb\nc\nD\ne")
    }

    @Test func `The same change on both sides is made once`() {
        #expect(merged("a", "a\nb", "a\nb") == "a\nb")
        #expect(merged("a\nb\nc", "a\nc", "a\nc") == "a\nc")
    }

    @Test func `Lines that both sides added in one place are all kept, theirs first`() {
        #expect(merged("", "a\tb", "c\td") == "a\tb\nc\td")
        #expect(merged("a", "a\nthey", "a\nI") == "a\nthey\nI")
        #expect(merged("a\n", "a\nthey\n", "a\nI\n") == "a\nthey\nI\n")
    }

    @Test func `A line that both sides changed is there twice, not lost`() {
        #expect(merged("a\nb\nc", "a\nthey\nc", "a\nI\nc") == "a\nthey\nI\nc")
        #expect(merged("a\nb\nc", "a\nc", "a\nI\nc") == "a\nI\nc")
        #expect(merged("a", "they\na", "I") == "they\nI")
        #expect(merged("a", "a\nthey", "I") == "I\nthey")
    }

    @Test func `Lines that occur more than once stay where they are`() {
        #expect(merged("x\nx\nx", "x\nx\ny\nx", "x\nx\nx\nz") == "x\nx\ny\nx\nz")
        #expect(merged("a\n\nb\n\nc", "a\n\nB\n\nc", "a\n\nb\n\nc\n\nd") == "a\n\nB\n\nc\n\nd")
    }

    @Test func `Lines are compared by their bytes`() {
        let both = merged("\u{E9}\nb", "\u{E9}\nB", "e\u{301}\nb")
        #expect(both.isExactly("e\u{301}\nB"))
        #expect(merged("e\u{301}", "\u{E9}", "e\u{301}").isExactly("\u{E9}"))
    }

    @Test func `Each line of mine has its place in the result`() {
        #expect(MergedLines(base: "a\nb", theirs: "x\na\nb", mine: "a\nB").places == [1, 2])
        #expect(MergedLines(base: "a\nb\nc", theirs: "c", mine: "a\nb\nc").places == [0, 0, 0])
        #expect(MergedLines(base: "", theirs: "they", mine: "I").places == [1])
    }

    @Test(arguments: 1...200 as ClosedRange<UInt64>)
    func `No line that either side added is lost`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        func edited(_ lines: [String], _ name: String) -> [String] {
            var lines = lines
            for number in 1...Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: 0...lines.count, using: &random)
                if Bool.random(using: &random), place < lines.count { lines.remove(at: place) }
                lines.insert("\(name)\(number)", at: min(place, lines.count))
            }
            return lines
        }
        let base = (0..<Int.random(in: 0...8, using: &random)).map { "\($0 % 5)" }
        let (theirs, mine) = (edited(base, "t"), edited(base, "m"))
        let merge = MergedLines(
            base: base.joined(separator: "\n"), theirs: theirs.joined(separator: "\n"),
            mine: mine.joined(separator: "\n"))
        let lines = merge.text.split(separator: "\n").map { String($0) }
        let added = (theirs + mine).filter { $0.hasPrefix("t") || $0.hasPrefix("m") }
        #expect(added.allSatisfy { line in lines.count { $0 == line } == 1 })
        #expect(merge.places.count == max(1, mine.count))
        #expect(merge.places == merge.places.sorted())
        #expect(merge.places.allSatisfy { 0...lines.count ~= $0 })
    }
}
