import Testing

@testable import viewctl

/// The lines of transcripts.
@Suite struct TranscriptTests {
    private func match(
        _ pattern: String, _ line: String, _ values: [String: String] = [:]
    ) -> [String: String]? {
        LinePattern(pattern).match(Array(line.utf8), values.mapValues { Array($0.utf8) })?
            .mapValues { String(decoding: $0, as: UTF8.self) }
    }

    @Test func `A pattern without signs matches the same bytes alone`() {
        #expect(match(#"{"ok":{}}"#, #"{"ok":{}}"#) == [:])
        #expect(match(#"{"ok":{}}"#, #"{"ok":{} }"#) == nil)
        #expect(match("\u{E9}", "e\u{301}") == nil)
        #expect(match("", "") == [:])
        #expect(match("", "a") == nil)
    }

    @Test func `An ellipsis stands for any characters, or none`() {
        #expect(match("a…c", "abbbc") == [:])
        #expect(match("a…c", "ac") == [:])
        #expect(match("a…c", "acd") == nil)
        #expect(match("…b…b…", "abcb") == [:])
        #expect(match("…b…b…", "abc") == nil)
        #expect(match("…", "") == [:])
        let long = String(repeating: "ab", count: 20_000)
        #expect(match("…a…a…a…x", long) == nil)
    }

    @Test func `A name stands for a value, and then for the same one`() {
        #expect(match(#"{"cursor":"$c"}"#, #"{"cursor":"k3:4"}"#) == ["c": "k3:4"])
        #expect(match(#"{"cursor":"$mark:4"}"#, #"{"cursor":"k3:4"}"#) == ["mark": "k3"])
        #expect(match(#"{"seq":$n,"x":$n}"#, #"{"seq":12,"x":12}"#) == ["n": "12"])
        #expect(match(#"{"seq":$n,"x":$n}"#, #"{"seq":12,"x":13}"#) == nil)
        #expect(match(#"{"seq":$n}"#, #"{"seq":12}"#, ["n": "12"]) == ["n": "12"])
        #expect(match(#"{"seq":$n}"#, #"{"seq":12}"#, ["n": "13"]) == nil)
        #expect(match(#"{"a":$n}"#, #"{"a":{"b":1}}"#) == nil)
        #expect(match("$$5 $5", "$5 $5") == [:])
    }

    @Test func `A pattern for another line keeps the signs whose place is known`() {
        func updated(_ source: String, _ line: String) -> String {
            LinePattern(source).updated(for: line)
        }
        #expect(
            updated(#"{"cursor":"$c","n":1,…}"#, #"{"cursor":"k:1","n":2,"x":3}"#)
                == #"{"cursor":"$c","n":2,"x":3}"#)
        #expect(
            updated(#"{"n":1,"cursor":"…"}"#, #"{"n":2,"cursor":"k:1"}"#)
                == #"{"n":2,"cursor":"…"}"#)
        #expect(updated(#"{"a":"$c"}"#, #"{"b":"$5"}"#) == #"{"b":"$$5"}"#)
        #expect(updated("…", "all") == "all")
    }

    @Test func `A request has the values that were captured`() throws {
        let values = ["c": Array("k3:4".utf8)]
        #expect(
            try LinePattern.filled(#"since "$c", $$c, $5"#, with: values).get()
                == Array(#"since "k3:4", $c, $5"#.utf8))
        #expect(throws: LinePattern.UnknownValue.self) {
            try LinePattern.filled("$d", with: values).get()
        }
    }

    @Test func `A transcript has requests, lines, times and comments`() throws {
        let transcript = try Transcript(
            "# a game\n\nann> ping\r\nann< {\"ok\":{}}\n  b-2>list\n@ 1.5\n")
        let kinds = transcript.lines.map { entry in
            switch entry.line {
            case .other: "other"
            case .request(let client, let text): "\(client)>\(text)"
            case .expected(let client, let pattern): "\(client)<\(pattern.source)"
            case .clock(let seconds): "@\(seconds)"
            }
        }
        #expect(
            kinds == ["other", "other", "ann>ping", "ann<{\"ok\":{}}", "b-2>list", "@1.5"])
    }

    @Test(arguments: [
        "ping", "ann ping", "ann: ping", "> ping", "ä> ping", "@", "@ x", "@ -1", "@ 0",
        "ann< $a$b",
    ])
    func `Any other line is refused with its number`(line: String) {
        do throws(Transcript.Malformed) {
            _ = try Transcript("# first\n\(line)\n")
            Issue.record("\(line) was taken")
        } catch {
            #expect(error.line == 2)
        }
    }
}
