import BusdProtocol
import TestSupport
import Testing

@Suite struct JSONWriterTests {
    func text(_ write: (inout JSONWriter) -> Void) -> String {
        var out = JSONWriter()
        write(&out)
        return String(decoding: out.bytes, as: UTF8.self)
    }

    @Test func `The writer keeps the order of keys, and writes no spaces`() {
        let json = text { out in
            out.object { out in
                out.member("b", 1)
                out.member("a", "x")
                out.member("c", true)
                out.member("d", ["p", "q"])
                out.key("e")
                out.object { _ in }
                out.key("f")
                out.list { out in
                    out.value(false)
                    out.null()
                    out.value(1.5)
                    out.list { _ in }
                    out.raw("[7]".utf8)
                    out.value("z")
                }
                out.member("g", [])
            }
        }
        let expected =
            #"{"b":1,"a":"x","c":true,"d":["p","q"],"e":{},"#
            + #""f":[false,null,1.5,[],[7],"z"],"g":[]}"#
        #expect(json == expected)
    }

    @Test func `The writer escapes only characters that JSON requires it for`() {
        let controls = (0..<0x20).map { String(Unicode.Scalar(UInt8($0))) }.joined()
        #expect(
            text { $0.value(controls) } == #""\u0000\u0001\u0002\u0003\u0004\u0005\u0006\u0007"#
                + #"\b\t\n\u000b\f\r\u000e\u000f\u0010\u0011\u0012\u0013\u0014\u0015\u0016"#
                + #"\u0017\u0018\u0019\u001a\u001b\u001c\u001d\u001e\u001f""#)
        #expect(text { $0.value(#"say "hi" \ a/b"#) } == #""say \"hi\" \\ a/b""#)
        #expect(text { $0.value("\u{7F}é\u{2028}😀") } == "\"\u{7F}é\u{2028}😀\"")
        let json = text { out in
            out.object { out in
                out.key(named: "a\"\n")
                out.value(0)
            }
        }
        #expect(json == #"{"a\"\n":0}"#)
    }

    /// The writer searches a text in machine words, and the rest of it in parts of words.
    @Test func `A byte is escaped at any place in a text of any length`() {
        for length in 1...26 {
            for place in 0..<length {
                for (byte, escape) in [("\"", #"\""#), ("\\", #"\\"#), ("\u{1F}", #"\u001f"#)] {
                    let (before, after) = (
                        String(repeating: "!", count: place),
                        String(repeating: "é", count: length - place - 1)
                    )
                    let json = text { $0.object { $0.member("a", before + byte + after) } }
                    #expect(json == #"{"a":"\#(before)\#(escape)\#(after)"}"#)
                }
            }
        }
    }

    @Test func `Integers next to each power of ten are written whole`() {
        var power = 1
        for _ in 0..<19 {
            for integer in [power - 1, power, power + 1, -power] {
                #expect(text { $0.value(integer) } == String(integer))
            }
            power = power.multipliedReportingOverflow(by: 10).partialValue
        }
    }

    @Test(arguments: [
        (0, "0"), (9, "9"), (10, "10"), (-1, "-1"), (Int.max, "9223372036854775807"),
        (Int.min, "-9223372036854775808"),
    ])
    func `The smallest and largest integers are written whole`(integer: Int, json: String) {
        #expect(text { $0.value(integer) } == json)
    }

    @Test(arguments: [
        (12.0, "12.0"), (0.2, "0.2"), (-0.0, "-0.0"), (1e300, "1e+300"),
        (.leastNonzeroMagnitude, "5e-324"),
        (0.1 + 0.2, "0.30000000000000004"), (.infinity, "null"), (-.infinity, "null"),
        (.nan, "null"),
    ])
    func `Finite numbers read back the same, others are null`(number: Double, json: String) throws {
        #expect(text { $0.value(number) } == json)
        guard number.isFinite else { return }
        let document = JSONDocument()
        try document.read(Array(json.utf8))
        #expect(document.root?.number == number)
    }

    @Test func `A writer can begin a new document, or be emptied`() {
        var out = JSONWriter()
        out.value(1)
        out.beginDocument()
        out.value(2)
        #expect(out.bytes == Array("12".utf8))
        out.removeAll()
        out.value(3)
        #expect(out.bytes == Array("3".utf8))
    }

    @Test func `The reader reads back the texts that the writer writes`() throws {
        var numbers = SeededGenerator(seed: 1)
        for _ in 0..<300 {
            var wanted = ""
            for _ in 0..<Int.random(in: 0..<20, using: &numbers) {
                let limit: UInt32 = Bool.random(using: &numbers) ? 0x80 : 0x11_0000
                let code = UInt32.random(in: 1..<limit, using: &numbers)
                if let scalar = Unicode.Scalar(code) { wanted.unicodeScalars.append(scalar) }
            }
            let document = JSONDocument()
            try document.read(Array(text { $0.value(wanted) }.utf8))
            #expect(document.root?.text.map { Array($0.utf8) } == Array(wanted.utf8))
        }
    }
}
