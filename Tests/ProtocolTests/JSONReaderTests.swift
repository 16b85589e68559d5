import BusdProtocol
import Testing

/// The line after reading and writing, texts without escapes; `nil` if the line is refused.
func normalized(_ line: [UInt8], limits: Limits = Limits()) -> String? {
    let document = JSONDocument()
    guard (try? document.read(line, limits: limits)) != nil, let root = document.root else {
        return nil
    }
    var out = JSONWriter()
    write(root, to: &out)
    return String(decoding: out.bytes, as: UTF8.self)
}

func normalized(_ line: String, limits: Limits = Limits()) -> String? {
    normalized(Array(line.utf8), limits: limits)
}

/// Why a line is refused; `nil` if it is accepted.
func refusal(_ line: [UInt8], limits: Limits = Limits()) -> WireError? {
    do throws(WireError) {
        try JSONDocument().read(line, limits: limits)
        return nil
    } catch {
        return error
    }
}

private func write(_ value: JSONValue, to out: inout JSONWriter) {
    switch value.kind {
    case .object:
        out.object { out in
            for (key, value) in value.members {
                out.key(named: key.text ?? "?")
                write(value, to: &out)
            }
        }
    case .list:
        out.list { out in
            for element in value.elements { write(element, to: &out) }
        }
    case .text: out.value(value.text ?? "?")
    case .integer, .number, .boolean, .null: out.raw(value.raw)
    }
}

@Suite struct JSONReaderTests {
    @Test(arguments: [
        // Structure
        ("{}", "{}"), ("[]", "[]"), ("[[]]", "[[]]"), ("[[],[[]]]", "[[],[[]]]"),
        (#"{"a":{}}"#, #"{"a":{}}"#), (#"{"":0}"#, #"{"":0}"#),
        (#"{"a":[1,{"b":null}],"c":true}"#, #"{"a":[1,{"b":null}],"c":true}"#),
        (" \t\r\n[ 1 ,\t2\r,\n3 ] ", "[1,2,3]"), (#" { "a" : 1 , "b" : 2 } "#, #"{"a":1,"b":2}"#),
        ("[ ]", "[]"), ("{ }", "{}"), (#"{"A":1,"a":2}"#, #"{"A":1,"a":2}"#),
        (#"{"a":{"a":1}}"#, #"{"a":{"a":1}}"#), (#"[{"a":1},{"a":1}]"#, #"[{"a":1},{"a":1}]"#),
        // Scalars at the top
        ("true", "true"), ("false", "false"), ("null", "null"), ("0", "0"), (#""""#, #""""#),
        // Numbers
        ("-0", "-0"), ("-1", "-1"), ("10", "10"), ("1.0", "1.0"), ("0.5", "0.5"), ("1e5", "1e5"),
        ("1E5", "1E5"), ("1e+5", "1e+5"), ("1e-5", "1e-5"), ("-0.0e-0", "-0.0e-0"),
        ("123456789012345678901234567890", "123456789012345678901234567890"), ("1e400", "1e400"),
        // Texts
        (#""\"\\\/\b\f\n\r\t""#, #""\"\\/\b\f\n\r\t""#), (#""\u0041\u00e9\u00E9""#, #""Aéé""#),
        (#""\uD83D\uDE00""#, #""😀""#), (#""\ud83d\ude00""#, #""😀""#),
        (#""\uDBFF\uDFFF""#, "\"\u{10FFFF}\""),
        (#""\ud800\udc00""#, "\"\u{10000}\""), (#""\\u0000""#, #""\\u0000""#),
        ("\"é€😀\u{7F}\u{80}\u{2028}\"", "\"é€😀\u{7F}\u{80}\u{2028}\""),
        ("\"\u{FEFF}\"", "\"\u{FEFF}\""), (#""\u0001""#, #""\u0001""#), (#""//#""#, #""//#""#),
        (#"{"\u0061":1}"#, #"{"a":1}"#), ("\"e\u{301}\"", "\"e\u{301}\""),
        // Keys that look the same but have different code points
        ("{\"\u{E9}\":1,\"e\u{301}\":2}", "{\"\u{E9}\":1,\"e\u{301}\":2}"),
    ])
    func `The reader accepts what RFC 8259 allows`(line: String, again: String) {
        #expect(normalized(line).map { Array($0.utf8) } == Array(again.utf8))
    }

    @Test(arguments: [
        // Nothing, or more than one value
        "", " ", "\n", "1 2", "{}{}", "[]]", "{}}", "[] x", "null,", "1,", "{} #", "[]\u{0}",
        // Structure
        "[", "]", "{", "}", "[1", "[1,", "[,", "[,1]", "[1,]", "[1,,2]", "[1 2]", "[1}", "{]",
        "{,}", #"{"a"}"#, #"{"a":}"#, #"{"a":1,}"#, #"{"a":1,,"b":2}"#, #"{"a" 1}"#,
        #"{"a":1 "b":2}"#,
        #"{"a"::1}"#, #"{:1}"#, #"{a:1}"#, #"{'a':1}"#, #"{1:1}"#, #"{null:1}"#, #"{[]:1}"#,
        #"{"a":1"#,
        #"{"a":1]"#, #"["a":1]"#, #"{"a","b"}"#, "[1;2]", "(1)", "<1>",
        // Comments, which JSON does not have
        "[1]//", "/**/1", "[1/**/]", "#1",
        // Words
        "True", "TRUE", "tru", "truee", "nul", "nulll", "undefined", "NaN", "nan", "Infinity",
        "-Infinity", "inf", "[NaN]", "fals", "t", "n",
        // Numbers
        "-", "+1", "01", "-01", "00", "1.", ".5", "-.5", "1.e5", "1e", "1e+", "1E-", "0x10",
        "1_000",
        "1.5.5", "--1", "1-", "0e", "1,0", "٣", "1e5.5", "1 000", "0b1", "- 1", "1f", "+0", "e5",
        // Texts
        "\"", #""a"#, #""\"#, #""\""#, #""\x41""#, #""\a""#, #""\'""#, #""\0""#, #""\U0041""#,
        #""\u""#, #""\u1""#, #""\u12""#, #""\u123""#, #""\u12G4""#, #""\u 123""#, #""\u-123""#,
        #""\u+123""#, #""\u00e""#, "'a'", "a", "\"a\nb\"", "\"a\tb\"", "\"a\u{0}b\"", "\"\u{1F}\"",
        "\"\r\"", "\"\\\n\"", "“a”",
        // U+0000 and surrogates
        #""\u0000""#, #""a\u0000""#, #"{"\u0000":1}"#, #""\ud800""#, #""\udc00""#, #""\ud800x""#,
        #""\ud800\u0041""#, #""\ud800\ud800""#, #""\udc00\ud800""#, #""\ud83d\ude0""#,
        #""\ud83d\n""#,
        #""\uDFFF""#, #""\ud83d\"#, #""\ud83d\u""#, #"{"\ud800":1}"#, #"["\ud800","\udc00"]"#,
        // A byte-order mark, and spaces that JSON does not have
        "\u{FEFF}{}", "\u{FEFF}", "[1]\u{FEFF}", "\u{A0}1", "[\u{2003}1]", "[1\u{B}]", "[\u{C}]",
        "\u{85}1",
        // A key twice
        #"{"a":1,"a":1}"#, #"{"a":1,"b":2,"a":3}"#, #"{"":1,"":2}"#, #"[{"x":{"a":1,"a":2}}]"#,
        #"{"a":1,"\u0061":2}"#, #"{"\u0061":1,"a":2}"#, #"{"\u0061":1,"\u0061":2}"#,
        #"{"/":1,"\/":2}"#, #"{"😀":1,"\ud83d\ude00":2}"#, #"{"\n":1,"\u000a":2}"#,
        #"{"\u000A":1,"\u000a":2}"#,
    ])
    func `The reader refuses what RFC 8259 and the protocol do not allow`(line: String) {
        #expect(normalized(line) == nil)
        #expect(refusal(Array(line.utf8))?.code == .parse)
    }

    @Test func `The reader accepts code points that are not characters`() {
        let scalars = [0xFFFF, 0xFDD0].compactMap { Unicode.Scalar($0 as UInt32) }
        let text = "\"" + scalars.map(String.init).joined() + "\""
        #expect(normalized(#""\uFFFF\uFDD0""#) == text)
        #expect(normalized(text) == text)
    }

    @Test func `The reader refuses bytes that are not UTF-8, at any place`() {
        let bad: [[UInt8]] = [
            [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC3], [0xC3, 0x28], [0xE0, 0x80, 0x80],
            [0xE2, 0x82], [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF], [0xF0, 0x80, 0x80, 0x80],
            [0xF0, 0x9F, 0x98], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFE], [0xFF],
            [0xFF, 0xFE, 0x31, 0x00], [0x31, 0x00],
        ]
        for bytes in bad {
            for (before, after) in [("", ""), ("\"", "\""), ("{\"", "\":1}"), ("[1,", "]")] {
                let line = Array(before.utf8) + bytes + Array(after.utf8)
                #expect(refusal(line)?.code == .parse, "\(bytes) in \(before)\(after)")
            }
        }
    }

    @Test(arguments: [
        ("[1,]", "expected a value, at byte 4"), ("", "expected a value, at byte 1"),
        ("[1 2]", "expected a comma or ], at byte 4"),
        (#"{"a":1 2}"#, "expected a comma or }, at byte 8"),
        (#"{"a":1,}"#, "expected a key, at byte 8"),
        (#"{"a"1}"#, "expected a colon, at byte 5"),
        ("1 2", "unexpected text after the value, at byte 3"),
        ("[tru]", "expected true, at byte 2"), ("[-]", "expected a digit, at byte 3"),
        ("\"a", "unterminated text, at byte 3"), (#""\"#, "unterminated escape, at byte 3"),
        (#""\x""#, "unknown escape, at byte 4"),
        (#""\u12""#, "expected four hexadecimal digits, at byte 4"),
        (#""\u0000""#, "U+0000 is not allowed, at byte 8"),
        (#""\ud800""#, "lone surrogate, at byte 8"),
        ("\"\t\"", "escape control characters in texts, at byte 2"),
        (#"{"a":1,"\u0061":2}"#, "duplicate key, at byte 9"),
    ])
    func `The reader reports what is wrong, and where`(line: String, message: String) {
        #expect(refusal(Array(line.utf8)) == WireError(.parse, message))
    }

    @Test func `The reader finds a repeated key among similar keys`() {
        // Several of these have the same first letter and length.
        let keys = ["op", "to", "oq", "o", "event", "id", "t", "evenu", "", "Ö", "q", "pp"]
        for count in 2...keys.count {
            let members = keys.prefix(count).map { "\"\($0)\":1" }
            #expect(refusal(Array("{\(members.joined(separator: ","))}".utf8)) == nil)
            for double in members {
                let line = "{\((members + [double]).joined(separator: ","))}"
                #expect(refusal(Array(line.utf8))?.code == .parse, "\(line)")
            }
        }
    }

    @Test func `The reader reports where a line is not UTF-8`() {
        #expect(
            refusal([0x22, 0x61, 0xFF, 0x22]) == WireError(.parse, "invalid UTF-8, at byte 3"))
    }

    @Test func `A document is empty after a refused line`() throws {
        let document = JSONDocument()
        try document.read(Array("[1]".utf8))
        #expect(throws: WireError.self) { try document.read(Array("[1,".utf8)) }
        #expect(document.root == nil)
        try document.read(Array("[2]".utf8))
        #expect(document.root?.elements.map(\.integer) == [2])
    }

    @Test func `Any line with one changed byte is refused, or is the same when read and rewritten`()
    {
        let line = Array(#"{"a":[1,-2.5e3,"x\u00e9\n",true],"b":{"c":null}}"#.utf8)
        for place in line.indices {
            for byte in UInt8.min...UInt8.max {
                var changed = line
                changed[place] = byte
                // Reading and writing once more changes nothing.
                if let once = normalized(changed) { #expect(normalized(once) == once) }
            }
            #expect(normalized(Array(line[..<place])) == nil)
        }
    }
}
