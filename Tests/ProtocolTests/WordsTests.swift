import BusdProtocol
import TestSupport
import Testing

@Suite struct WordsTests {
    func json(_ line: String) throws(WireError) -> String {
        String(decoding: try Words.json(Array(line.utf8)), as: UTF8.self)
    }

    @Test(arguments: [
        ("list", #"{"op":"list"}"#), ("list a/*", #"{"op":"list","to":"a/*"}"#),
        ("get scoreboard/1", #"{"op":"get","to":"scoreboard/1"}"#),
        ("describe scoreboard", #"{"op":"describe","to":"scoreboard"}"#),
        ("subscribe scoreboard/**", #"{"op":"subscribe","to":"scoreboard/**"}"#),
        ("subscribe a/1 container", #"{"op":"subscribe","to":"a/1","as":"container"}"#),
        ("unsubscribe scoreboard/**", #"{"op":"unsubscribe","to":"scoreboard/**"}"#),
        ("send a/1 togglePause", #"{"op":"send","to":"a/1","event":"togglePause"}"#),
        (
            #"send login/me usernameChanged {"username":"ann"}"#,
            #"{"op":"send","to":"login/me","event":{"usernameChanged":{"username":"ann"}}}"#
        ),
        (#"send a b { "c" : "d  e" }"#, #"{"op":"send","to":"a","event":{"b":{ "c" : "d  e" }}}"#),
        ("send a b 3", #"{"op":"send","to":"a","event":{"b":3}}"#), ("ping", #"{"op":"ping"}"#),
        ("help", #"{"op":"help","as":"words"}"#), ("describe", #"{"op":"describe"}"#),
        // Spaces between words do not matter
        ("get   a", #"{"op":"get","to":"a"}"#),
        ("send  a   b    {}", #"{"op":"send","to":"a","event":{"b":{}}}"#),
        // Special characters are quoted, and refused later
        (#"get a"b\c"#, #"{"op":"get","to":"a\"b\\c"}"#), ("get é", #"{"op":"get","to":"é"}"#),
        // A space separates words also if a combining character follows
        ("get \u{301}", "{\"op\":\"get\",\"to\":\"\u{301}\"}"),
        ("subscribe a \u{200D}b", "{\"op\":\"subscribe\",\"to\":\"a\",\"as\":\"\u{200D}b\"}"),
    ])
    func `A request in words means the same as its JSON`(line: String, wanted: String) throws {
        #expect(Array(try json(line).utf8) == Array(wanted.utf8))
    }

    @Test func `Each operation except hello has an example in words`() throws {
        #expect(Words.examples.map(\.op) == Request.examples.map(\.op).filter { $0 != "hello" })
        for (op, line) in Words.examples {
            #expect(try json(line).hasPrefix(#"{"op":"\#(op)""#))
        }
    }

    @Test(arguments: [
        ("get", "usage: get ADDRESS"),
        ("subscribe", "usage: subscribe PATTERN [VIEWNAME]"),
        ("unsubscribe", "usage: unsubscribe PATTERN"),
        ("send", "usage: send ADDRESS EVENT [PAYLOAD]"),
        ("send a", "usage: send ADDRESS EVENT [PAYLOAD]"),
        ("ping now", "too many words; usage: ping"),
        ("help me please", "too many words; usage: help"),
        ("list a b", "too many words; usage: list [PATTERN]"),
        ("get a b", "too many words; usage: get ADDRESS"),
        ("subscribe a b c", "too many words; usage: subscribe PATTERN [VIEWNAME]"),
        ("unsubscribe a b", "too many words; usage: unsubscribe PATTERN"),
        ("describe a b", "too many words; usage: describe [ADDRESS-OR-KIND]"),
    ])
    func `A request with too few or too many words is refused`(line: String, message: String) {
        #expect(throws: WireError(.badRequest, message)) { try json(line) }
    }

    @Test(arguments: [
        "send a b x", "send a b {", "send a b {}}", #"send a b {"c":1},"d":{}"#, "send a b {} {}",
        #"send a b {"c":1,"c":2}"#, #"send a b "\u0000""#, #"send a b {}},"key":"k""#, "send a b ,",
        "send a b [1,]", "send a b NaN",
    ])
    func `A payload that is not JSON by itself is refused`(line: String) {
        #expect { try json(line) } throws: { ($0 as? WireError)?.code == .parse }
    }

    @Test func `An error for a missing space does not repeat the request`() {
        #expect(
            throws: WireError(
                .badRequest, "put a space between the event and its payload")
        ) { try json(#"send login/me passwordChanged{"password":"hush"}"#) }
        let line = #"{"op":"send","to":"login/me","event":{"passwordChanged":"hush"}}"#
        #expect { try json("x" + line) } throws: { error in
            (error as? WireError)?.message.hasPrefix("unknown operation: ") == true
        }
    }

    @Test(arguments: [
        ("subscrib a", ["subscribe"]), ("pnig", ["ping"]), ("exit", []), ("[1]", []),
        ("Get a", ["get"]),
        ("send\ta b", ["send"]), ("hello", []),
    ])
    func `An unknown operation is refused, with similar names`(line: String, near: [String]) {
        #expect { try json(line) } throws: { error in
            (error as? WireError)?.code == .unknownOp && (error as? WireError)?.suggestions == near
        }
    }
}

@Suite struct SuggestionTests {
    @Test(arguments: [
        ("togglPause", ["togglePause"]), ("tooglePause", ["togglePause"]),
        ("TOGGLEPAUSE", ["togglePause"]),
        ("undo", ["undo"]), ("und", ["undo"]), ("nudo", ["undo"]), ("udno", ["undo"]), ("xyz", []),
        ("", []),
        ("redoing", []), (String(repeating: "togglePause", count: 5_000), []),
    ])
    func `The suggestions are the similar names`(name: String, near: [String]) {
        #expect(Suggestions.near(name, among: ["togglePause", "undo"]) == near)
    }

    @Test func `At most three names are suggested, the nearest first, then by name`() {
        let names = ["score4", "scores", "score2", "score1", "score", "score3", "sco"]
        #expect(Suggestions.near("score", among: names) == ["score", "score1", "score2"])
        #expect(Suggestions.near("scoer", among: names) == ["score"])
        // `games` is an address and a kind.
        #expect(Suggestions.near("gams", among: ["games", "book", "games"]) == ["games"])
    }

    @Test func `A short name may differ by one letter, and a long one by three`() {
        #expect(Suggestions.near("ab", among: ["ac", "cd", "abc", "abcd"]) == ["abc", "ac"])
        #expect(Suggestions.near("onePointMove", among: ["onePointMov12"]) == ["onePointMov12"])
        #expect(Suggestions.near("onePointMove", among: ["onePointM1234"]) == [])
    }

    @Test func `A search for suggestions looks at a thousand names at most`() {
        let names = (0..<1_000).map { "name\($0)" } + ["needle"]
        #expect(Suggestions.near("needle", among: names) == [])
        #expect(Suggestions.near("needle", among: Array(names.dropFirst())) == ["needle"])
    }

    @Test func `A search for suggestions ends early among many similar names`() {
        let long = String(repeating: "a", count: 50)
        let names = (0..<500).map { "\(long)\($0 + 1_000)" } + ["\(long)-zzzz"]
        #expect(Suggestions.near("\(long)-zzz", among: names) == [])
        #expect(Suggestions.near("\(long)-zzz", among: Array(names.suffix(10))) == ["\(long)-zzzz"])
    }

    @Test func `Suggestions have the distance that a complete table computes`() {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<3_000 {
            let (one, other) = (word(&random), word(&random))
            let most = max(1, min(3, one.count / 3))
            let isNear = wholeTable(Array(one), Array(other)) <= most
            #expect(Suggestions.near(one, among: [other]) == (isNear ? [other] : []))
        }
    }

    private func word(_ random: inout SeededGenerator) -> String {
        String(
            (0..<Int.random(in: 1...12, using: &random)).map { _ in
                ["a", "b", "B", "c"].randomElement(using: &random) ?? "a"
            })
    }

    private func wholeTable(_ one: [Character], _ other: [Character]) -> Int {
        let (a, b) = (one.map { $0.lowercased() }, other.map { $0.lowercased() })
        var table = (0...a.count).map { i in (0...b.count).map { j in i == 0 ? j : i } }
        for i in 1...a.count {
            for j in 1...b.count {
                var best = table[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)
                best = min(best, table[i - 1][j] + 1, table[i][j - 1] + 1)
                if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
                    best = min(best, table[i - 2][j - 2] + 1)
                }
                table[i][j] = best
            }
        }
        return table[a.count][b.count]
    }
}

@Suite struct ErrorTests {
    func json(_ error: WireError) -> String {
        var out = JSONWriter()
        error.write(to: &out)
        return String(decoding: out.bytes, as: UTF8.self)
    }

    @Test func `An error is written in a fixed order, without missing parts`() {
        #expect(json(WireError(.parse, "no")) == #"{"code":"parse","message":"no"}"#)
        #expect(
            json(WireError(.unknownEvent, "no", path: "event.x", suggestions: ["y", "z"], seq: 7))
                == #"{"code":"unknownEvent","message":"no","path":"event.x","#
                + #""suggestions":["y","z"],"seq":7}"#)
        #expect(
            json(WireError(.stale, "no", seq: 0)) == #"{"code":"stale","message":"no","seq":0}"#)
    }

    @Test func `An error has one of the codes of the protocol`() {
        let codes =
            "parse tooLong badRequest unknownOp unknownViewModel unknownEvent badEvent notAllowed "
            + "stale unsupportedProtocol overloaded unavailable uncertain internal"
        #expect(WireError.Code.allCases.map(\.rawValue).joined(separator: " ") == codes)
    }

    @Test func `The code of an error marks bad input`() {
        let bad = WireError.Code.allCases.filter { WireError($0, "").isBadInput }
        #expect(bad == [.parse, .tooLong, .unknownOp])
    }
}

@Suite struct LimitsTests {
    @Test func `The limits are those of the protocol, in its order`() {
        var out = JSONWriter()
        Limits().write(to: &out)
        #expect(
            String(decoding: out.bytes, as: UTF8.self)
                == #"{"line":65536,"depth":32,"values":4096,"text":200,"output":262144,"#
                + #""outputTotal":33554432,"subscriptions":256,"connections":4096,"#
                + #""connectionsReserved":512,"connectionsPerUser":1024,"#
                + #""onDemand":4096,"perConnection":4,"history":1024}"#)
        #expect(Limits.turnRequests == 64)
        #expect(Limits.turnBytes == 65_536)
        #expect(Limits.largestInteger == 1 << 53 - 1)
    }
}
