import Testing

@testable import BusdBroker

@Suite struct `The log of a turn` {
    @Test func `Lines that several connections have in the same order are gathered once`() {
        var log = TurnLog()
        let lines = [
            log.add(Text(Array("a".utf8)), .notice), log.add(own: Text(Array("b".utf8)), .answer),
            log.add(Text(Array("c".utf8)), .notice),
        ]
        var (some, others) = (LineRanges(), LineRanges())
        #expect(lines.map { some.add($0..<($0 + 1)) } == [true, false, false])
        #expect([lines[0], lines[2]].map { others.add($0..<($0 + 1)) } == [true, false])
        #expect(others.isSingle && !some.isSingle)

        var gathered = GatheredLines()
        func text(_ ranges: LineRanges) -> (String, UnsafeRawPointer?) {
            gathered.withBytes(of: ranges, in: log) {
                (String(decoding: $0, as: UTF8.self), $0.baseAddress)
            }
        }
        let first = text(some)
        #expect(first.0 == "a\nb\nc\n")
        #expect(text(some) == first)
        #expect(text(others).0 == "a\nc\n")
        #expect(text(some).0 == "a\nb\nc\n")

        // The next turn has other lines with the same numbers.
        gathered.removeAll()
        log.removeAll()
        _ = log.add(Text(Array("d".utf8)), .notice)
        _ = log.add(own: Text(Array("e".utf8)), .answer)
        _ = log.add(Text(Array("f".utf8)), .notice)
        #expect(text(some).0 == "d\ne\nf\n")
    }

    @Test func `A run that has grown adds only its new lines`() {
        var ranges = LineRanges()
        let firsts = [0..<2, 0..<2, 0..<3].map { ranges.add(run: $0) }
        #expect(firsts == [true, false, false])
        #expect(ranges.isSingle && ranges.last == 0..<3)
        let isFirst = ranges.add(run: 5..<6)
        #expect(!isFirst && !ranges.isSingle && ranges.last == 5..<6)
        ranges.removeAll()
        let isFirstAgain = ranges.add(run: 0..<1)
        #expect(isFirstAgain && ranges.isSingle)
    }
}
