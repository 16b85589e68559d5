import BusdProtocol
import Testing

@Suite struct ConsecutiveMarksTests {
    private let document = JSONDocument()

    private func problem(_ line: String) -> String? {
        do throws(WireError) {
            try document.read(Array(line.utf8))
            return nil
        } catch {
            return error.code == .parse ? error.message : "\(error)"
        }
    }

    private let most = String(repeating: "\u{301}", count: 30)

    @Test func `Thirty marks in a row are accepted, counted anew after any other character`() {
        for other in ["a", "\u{E9}", "水", "각", "👩", "\u{200D}"] {
            #expect(problem(#""\#(other)\#(most)\#(other)\#(most)""#) == nil)
        }
    }

    @Test(arguments: ["", "水", #"\n"#, "x-", #"\uD83D\uDC69"#])
    func `Thirty-one marks in a row are refused in values and keys`(before: String) {
        for more in ["\u{301}", #"\u0301"#, "\u{1E94A}", #"\uD83A\uDD4A"#, "\u{3099}"] {
            let text = #""\#(before)\#(most)\#(more)""#
            let place = 2 + before.utf8.count + most.utf8.count + more.utf8.count
            let message = "more than 30 combining marks in a row, at byte "
            #expect(problem(text) == message + "\(place)")
            #expect(problem("{\(text):1}") == message + "\(place + 1)")
        }
    }

    @Test func `Thirty-one escaped marks in a row are refused`() {
        let escapes = String(repeating: #"\u0301"#, count: 31)
        #expect(problem(#""a\#(escapes)""#) != nil)
        #expect(problem(#""a\#(escapes.dropLast(6))""#) == nil)
    }

    @Test func `Marks in a row are refused in the payload of a request in words`() throws {
        let line = #"send echo/a say {"text":"\#(most)\#(most)"}"#
        let request = try Words.json(Array(line.utf8))
        #expect(problem(String(decoding: request, as: UTF8.self)) != nil)
    }

    @Test func `Marks of every block of Unicode are counted`() {
        for value in UInt32(0x80)...0x10_FFFF {
            guard let scalar = Unicode.Scalar(value),
                scalar.properties.canonicalCombiningClass != .notReordered
            else { continue }
            let text = String(repeating: String(scalar), count: 31)
            #expect(problem("\"\(text)\"") != nil, "U+\(String(value, radix: 16))")
        }
    }
}
