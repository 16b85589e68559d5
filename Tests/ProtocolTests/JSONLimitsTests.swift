import BusdProtocol
import Testing

@Suite struct JSONLimitsTests {
    func nested(_ levels: Int, _ open: String, _ close: String) -> String {
        String(repeating: open, count: levels) + String(repeating: close, count: levels)
    }

    @Test(arguments: [1, 2, 31, 32, 33, 34, 1_000, 30_000])
    func `The limit of nesting is exact`(levels: Int) {
        #expect((normalized(nested(levels, "[", "]")) != nil) == (levels <= 32))
        let objects = String(repeating: #"{"a":"#, count: levels - 1)
        let line = objects + "{}" + String(repeating: "}", count: levels - 1)
        #expect((normalized(line) != nil) == (levels <= 32))
        if levels > 32 {
            #expect(refusal(Array(line.utf8))?.message.contains("(limit depth)") == true)
        }
    }

    @Test func `A scalar does not count as a level`() {
        #expect(normalized(nested(31, "[", "]").replacing("[]", with: "[[1]]")) != nil)
    }

    @Test(arguments: [4_094, 4_095, 4_096, 4_097, 20_000])
    func `The limit of values is exact and does not count keys`(values: Int) {
        let list = "[" + Array(repeating: "0", count: values - 1).joined(separator: ",") + "]"
        #expect((normalized(list) != nil) == (values <= 4_096))
        let members = (0..<(values - 1)).map { #""\#($0)":[]"# }
        let object = "{" + members.joined(separator: ",") + "}"
        #expect((normalized(object) != nil) == (values <= 4_096))
        if values > 4_096 {
            #expect(refusal(Array(list.utf8))?.message.contains("(limit values)") == true)
        }
    }

    @Test func `A caller may set other limits`() {
        var limits = Limits()
        limits.depth = 2
        limits.values = 3
        #expect(normalized("[[1]]", limits: limits) == "[[1]]")
        #expect(normalized("[[1],1]", limits: limits) == nil)
        #expect(normalized("[[[]]]", limits: limits) == nil)
    }

    @Test(arguments: [7, 8, 9, 10, 16, 100, 2_000])
    func `A repeated key is refused in an object of any size`(size: Int) {
        let keys = (0..<size).map { "k\($0)" }
        func object(_ keys: [String]) -> String {
            "{" + keys.map { #""\#($0)":0"# }.joined(separator: ",") + "}"
        }
        #expect(normalized(object(keys)) == object(keys))
        for place in Set([0, 1, size / 2, size - 2, size - 1]) {
            #expect(normalized(object(keys + ["k\(place)"])) == nil)
            // `\u006b` is `k`.
            #expect(normalized(object(keys + [#"\u006b\#(place)"#])) == nil)
            #expect(normalized(object([#"\u006b\#(place)"#] + keys)) == nil)
        }
    }

    @Test func `The length of a line is not limited`() {
        let text = String(repeating: "x", count: 1_000_000)
        #expect(normalized("\"\(text)\"") == "\"\(text)\"")
    }
}

@Suite struct JSONValueTests {
    func root(_ json: String) throws -> JSONValue {
        let document = JSONDocument()
        try document.read(Array(json.utf8))
        return try #require(document.root)
    }

    @Test(
        arguments: [
            ("0", 0), ("-0", 0), ("7", 7), ("-7", -7), ("9007199254740991", 1 << 53 - 1),
            ("-9007199254740991", 1 - 1 << 53), ("9007199254740992", nil),
            ("-9007199254740992", nil), ("9223372036854775808", nil), ("18446744073709551617", nil),
            ("-99999999999999999999999999", nil), ("1.0", nil),
            ("1e0", nil), ("true", nil), (#""1""#, nil), ("null", nil),
        ] as [(String, Int?)])
    func `An integer has no fraction and no exponent, and is at most 2^53 - 1 in size`(
        json: String, integer: Int?
    ) throws {
        #expect(try root(json).integer == integer)
    }

    @Test(
        arguments: [
            ("0", 0), ("1.5", 1.5), ("-2e3", -2_000), ("1e308", 1e308), ("1e309", nil),
            ("-1e400", nil),
            ("1e-400", 0), ("9007199254740993", 9_007_199_254_740_992), (#""1.5""#, nil),
            ("false", nil),
        ] as [(String, Double?)])
    func `A number is within the range of a double`(json: String, number: Double?) throws {
        #expect(try root(json).number == number)
    }

    @Test func `A value is of one kind, and reads as no other`() throws {
        let kinds: [(String, JSONDocument.Kind)] = [
            ("{}", .object), ("[]", .list), (#""x""#, .text), ("1", .integer), ("1.0", .number),
            ("true", .boolean), ("null", .null),
        ]
        for (json, kind) in kinds {
            let value = try root(json)
            #expect(value.kind == kind)
            #expect((value.text != nil) == (kind == .text))
            #expect((value.boolean != nil) == (kind == .boolean))
            #expect((value.integer != nil) == (kind == .integer))
            #expect((value.number != nil) == (kind == .integer || kind == .number))
            #expect(value["a"] == nil)
            #expect(value.elements.map(\.kind) == [])
            #expect(value.members.map(\.value.kind) == [])
        }
        #expect(try root("true").boolean == true)
        #expect(try root("false").boolean == false)
        #expect(try root(#"["a",1]"#)["a"] == nil)
        #expect(try root(#"{"a":1}"#).elements.map(\.kind) == [])
    }

    @Test func `Members are found by code points, also if keys are escaped`() throws {
        let value = try root(#"{"a":1,"\u0062":[2,{"c":3}],"e\u0301":4}"#)
        #expect(value["a"]?.integer == 1)
        #expect(value["b"]?.elements.map(\.kind) == [.integer, .object])
        #expect(value["c"] == nil)
        #expect(value["e\u{301}"]?.integer == 4)
        #expect(value["\u{E9}"] == nil)
        #expect(value.members.map(\.key.text) == ["a", "b", "e\u{301}"])
    }

    @Test func `A value keeps its bytes as they are in the line`() throws {
        let value = try root(#" [ "a\u0062" , {"c" : 1.50} , -3e2,"" ] "#)
        let json = value.elements.map { String(decoding: $0.json, as: UTF8.self) }
        #expect(json == [#""a\u0062""#, #"{"c" : 1.50}"#, "-3e2", #""""#])
        let raw = value.elements.map { String(decoding: $0.raw, as: UTF8.self) }
        #expect(raw == [#"a\u0062"#, #"{"c" : 1.50}"#, "-3e2", ""])
    }
}
