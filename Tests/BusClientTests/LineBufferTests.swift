import BusdEventLoop
import Testing

@testable import BusdClient

@Suite struct LineBufferTests {
    private func fill(_ buffer: inout LineBuffer, _ text: String) {
        let transfer = buffer.fill { space in
            space.copyBytes(from: text.utf8)
            return .bytes(text.utf8.count)
        }
        #expect(transfer == .bytes(text.utf8.count))
    }

    private func lines(_ buffer: inout LineBuffer) -> [String] {
        var lines: [String] = []
        while let line = buffer.next() { lines.append(String(decoding: line, as: UTF8.self)) }
        return lines
    }

    @Test func `Lines are read as they were written, however the bytes were cut`() {
        let text = "one\n\nthree is longer\nfour\n"
        for size in 1...text.utf8.count {
            var buffer = LineBuffer(longest: 100)
            var found: [String] = []
            var rest = Substring(text)
            while !rest.isEmpty {
                fill(&buffer, String(rest.prefix(size)))
                rest = rest.dropFirst(size)
                found += lines(&buffer)
            }
            #expect(found == ["one", "", "three is longer", "four"])
            #expect(!buffer.isTooLong)
        }
    }

    @Test func `An unfinished line stays in the buffer`() {
        var buffer = LineBuffer(longest: 100)
        fill(&buffer, "begun")
        #expect(lines(&buffer) == [])
        fill(&buffer, ", ended\nbegun again")
        #expect(lines(&buffer) == ["begun, ended"])
        #expect(lines(&buffer) == [])
    }

    @Test func `Only an unfinished line can be too long`() {
        var buffer = LineBuffer(longest: 4)
        fill(&buffer, "1234\n1234")
        #expect(lines(&buffer) == ["1234"])
        #expect(!buffer.isTooLong)

        fill(&buffer, "5")
        #expect(lines(&buffer) == [])
        #expect(buffer.isTooLong)
    }

    @Test func `A read without bytes changes nothing`() {
        var buffer = LineBuffer(longest: 4)
        fill(&buffer, "ab")
        #expect(buffer.fill { _ in .wouldBlock } == .wouldBlock)
        #expect(buffer.fill { _ in .ended } == .ended)
        fill(&buffer, "\n")
        #expect(lines(&buffer) == ["ab"])
    }
}
