import BusdProtocol
import Testing

/// Reads a line of JSON as a request.
private func read(_ line: String, limits: Limits = Limits()) throws -> Request {
    let document = JSONDocument()
    try document.read(Array(line.utf8), limits: limits)
    return try Request(document, limits: limits)
}

/// Why a line is not a request.
private func refusal(of line: String) -> RequestRefusal? {
    do {
        _ = try read(line)
        return nil
    } catch {
        return error as? RequestRefusal
    }
}

@Suite struct RequestTests {
    @Test func `A hello has a protocol, and may have a name`() throws {
        guard case .hello(name: nil) = try read(#"{"op":"hello","protocol":1}"#).operation,
            case .hello(name: "c") = try read(#"{"op":"hello","name":"c","protocol":1}"#).operation
        else {
            Issue.record("this is not hello")
            return
        }
    }

    @Test func `A list has a pattern, or means everything`() throws {
        guard case .list(.everything) = try read(#"{"op":"list"}"#).operation,
            case .list(let pattern) = try read(#"{"op":"list","to":"a/*"}"#).operation
        else {
            Issue.record("this is not list")
            return
        }
        #expect(pattern == Pattern("a/*"))
    }

    @Test func `A describe has a kind, a get an address, an unsubscribe a pattern`() throws {
        guard
            case .describe(let kind) = try read(#"{"op":"describe","to":"scoreboard"}"#)
                .operation,
            case .get(let address) = try read(#"{"op":"get","to":"a/b"}"#).operation,
            case .unsubscribe(let pattern) = try read(#"{"op":"unsubscribe","to":"a/**"}"#)
                .operation
        else {
            Issue.record("this is something else")
            return
        }
        #expect(kind?.text == "scoreboard")
        #expect(address.text == "a/b")
        #expect(pattern == Pattern("a/**"))
    }

    @Test func `A describe without an address or a kind means all kinds`() throws {
        guard case .describe(nil) = try read(#"{"op":"describe"}"#).operation else {
            Issue.record("this is not describe")
            return
        }
    }

    @Test func `A subscribe has a pattern, and may have a name, events and a cursor`() throws {
        guard case .subscribe(let bare) = try read(#"{"op":"subscribe","to":"**"}"#).operation,
            case .subscribe(let full) = try read(
                #"{"op":"subscribe","to":"a","as":"v","only":["x","y","x"],"since":"m1:7"}"#
            ).operation,
            case .subscribe(let none) = try read(#"{"op":"subscribe","to":"a/*","only":[]}"#)
                .operation
        else {
            Issue.record("this is not subscribe")
            return
        }
        #expect(bare.to == .everything && bare.as == nil && bare.only == nil && bare.since == nil)
        #expect(full.to == Pattern("a") && full.as == "v" && full.only == ["x", "y"])
        #expect(full.since == Cursor(mark: "m1", seq: 7))
        #expect(none.only == [])
    }

    @Test func `A send has an address and an event, and may have ifSeq and a key`() throws {
        guard case .send(let bare) = try read(#"{"op":"send","to":"a","event":"x"}"#).operation,
            case .send(let full) = try read(
                #"{"op":"send","to":"a","event":{"x":{"y":1}},"ifSeq":-3,"key":"k"}"#
            ).operation
        else {
            Issue.record("this is not send")
            return
        }
        #expect(bare.event.text == "x" && bare.ifSeq == nil && bare.key == nil)
        let line = #"{"op":"send","to":"a","event":"x","ifSeq":"1z:41"}"#
        guard case .send(let exact) = try read(line).operation else {
            Issue.record("this is not a send")
            return
        }
        #expect(exact.ifSeq == .cursor(Cursor(mark: "1z", seq: 41)))
        #expect(full.event["x"]?["y"]?.integer == 1 && full.ifSeq == -3 && full.key == "k")
    }

    @Test func `A ping and a help need no other key`() throws {
        guard case .ping = try read(#"{"op":"ping"}"#).operation,
            case .help = try read(#"{"op":"help"}"#).operation
        else {
            Issue.record("this is something else")
            return
        }
    }

    @Test(
        arguments: [
            ("1", .integer(1)), ("0", .integer(0)), ("-7", .integer(-7)),
            ("9007199254740991", .integer(9_007_199_254_740_991)),
            ("-9007199254740991", .integer(-9_007_199_254_740_991)), (#""""#, .text("")),
            (#""a\u0031""#, .text("a1")),
        ] as [(String, Request.ID)])
    func `An id is a text or an integer`(json: String, id: Request.ID) throws {
        #expect(try read(#"{"op":"ping","id":\#(json)}"#).id == id)
        #expect(refusal(of: #"{"op":"get","id":\#(json)}"#)?.id == id)
    }

    @Test(arguments: [
        "9007199254740992", "-9007199254740992", "99999999999999999999", "1.0", "1e3", "true",
        "null",
        "[]", "{}", "\"" + String(repeating: "x", count: 201) + "\"",
        "\"" + String(repeating: "é", count: 101) + "\"",
    ])
    func `Any other id is refused, and not repeated in the answer`(json: String) throws {
        for line in [#"{"op":"ping","id":\#(json)}"#, #"{"id":\#(json),"op":"nothing"}"#] {
            let refused = try #require(refusal(of: line))
            #expect(refused.error.code == .badRequest)
            #expect(refused.id == nil)
        }
    }

    @Test func `A text in a request has at most two hundred bytes`() throws {
        for key in [
            #"{"op":"hello","protocol":1,"name":"#, #"{"op":"subscribe","to":"a","as":"#,
            #"{"op":"send","to":"a","event":"x","key":"#,
        ] {
            for (count, isTaken) in [(199, true), (200, true), (201, false)] {
                let text = String(repeating: "x", count: count)
                let refused = refusal(of: "\(key)\"\(text)\"}")
                #expect((refused == nil) == isTaken)
                #expect(isTaken || refused?.error.code == .overloaded)
                #expect(isTaken || refused?.error.message.contains("limit text") == true)
            }
        }
        #expect(try read(#"{"op":"ping","id":"\#(String(repeating: "x", count: 200))"}"#).id != nil)
    }

    @Test(arguments: [
        "hello", "list", "describe", "get", "subscribe", "unsubscribe", "send", "ping", "help",
    ])
    func `A key that its operation does not know is refused, except for x- keys`(op: String) throws
    {
        var line = try #require(Request.examples.first { $0.op == op }?.line)
        #expect(refusal(of: line) == nil)
        line.removeLast()
        #expect(refusal(of: line + #","x-note":{"any":[1]},"x-":null}"#) == nil)
        for key in ["foo", "X-note", "x", "To", "protocols", "", "x_a"] {
            let refused = try #require(refusal(of: line + #","\#(key)":1}"#))
            #expect(refused.error.code == .badRequest)
        }
        let known: Set<String> =
            switch op {
            case "hello": ["protocol", "name"]
            case "list", "describe", "get", "unsubscribe": ["to"]
            case "subscribe": ["to", "as", "only", "since"]
            case "send": ["to", "event", "ifSeq", "ifDone", "key"]
            case "help": ["as"]
            default: []
            }
        let all = [
            "protocol", "name", "to", "as", "only", "since", "event", "ifSeq", "ifDone", "key",
        ]
        for key in all where !known.contains(key) {
            #expect(refusal(of: line + #","\#(key)":1}"#)?.error.code == .badRequest)
        }
    }

    @Test(
        arguments: [
            "hello": [
                "protocol": ["\"1\"", "1.0", "true", "null", "[1]", "99999999999999999999"],
                "name": ["1", "null", "[]", "{}"],
            ],
            "list": ["to": ["1", "null", "\"\"", "\"a//b\"", "[\"a\"]", "\"**/a\""]],
            "describe": ["to": ["1", "null", "[]", "\"\"", "\"a b\"", "\"*\"", "\"\u{301}\""]],
            "get": ["to": ["1", "null", "\"\"", "\"a/*\"", "\"**\"", "\"a b\""]],
            "subscribe": [
                "to": ["1", "null", "\"\"", "\"a*\""], "as": ["1", "null", "[\"v\"]"],
                "only": ["\"x\"", "null", "{}", "[1]", "[\"x\",null]", "[[\"x\"]]", "1"],
                "since": ["1", "null", "\"\"", "\"x\"", "\":1\"", "\"m:\"", "\"m:x\"", "\"M:1\""],
            ],
            "unsubscribe": ["to": ["1", "null", "\"/\""]],
            "send": [
                "to": ["1", "null", "\"a/*\"", "\"**\""],
                "ifSeq": [
                    "\"1\"", "1.0", "null", "1e3",
                    "9007199254740992", "9223372036854775808",
                ], "key": ["1", "null", "[]"],
                "ifDone": ["1", "null", "\"\"", "\"m\"", "\"m:x\"", "[\"m:1\"]"],
            ],
            "help": ["as": ["1", "null", "\"\"", "\"JSON\"", "[\"words\"]"]],
        ] as [String: [String: [String]]])
    func `A value of a wrong form is refused`(op: String, wrong: [String: [String]]) throws {
        let right = [
            "protocol": "1", "name": "\"n\"", "as": "\"v\"", "only": "[]", "since": "\"m:1\"",
            "to": "\"a\"", "event": "\"x\"", "ifSeq": "1", "key": "\"k\"",
            "ifDone": "\"m:1\"",
        ]
        func line(_ members: [String: String]) -> String {
            #"{"op":"\#(op)","id":5"# + members.map { #","\#($0)":\#($1)"# }.joined() + "}"
        }
        var members = right.filter { wrong.keys.contains($0.key) }
        if op == "send" { members["event"] = right["event"] }
        if op == "help" { members["as"] = "\"words\"" }
        #expect(refusal(of: line(members)) == nil)
        for (key, values) in wrong {
            for value in values {
                let refused = try #require(refusal(of: line(members.merging([key: value]) { $1 })))
                #expect(refused.error.code == .badRequest, "\(key): \(value)")
                #expect(refused.id == .integer(5))
            }
        }
    }

    @Test(arguments: [
        (#"{"op":"hello"}"#, "add `protocol`, the integer 1"),
        (#"{"op":"get"}"#, "add `to`, an address such as scoreboard/1"),
        (#"{"op":"subscribe"}"#, "add `to`, an address such as scoreboard/1"),
        (#"{"op":"unsubscribe"}"#, "add `to`, an address such as scoreboard/1"),
        (#"{"op":"send"}"#, "add `to`, an address such as scoreboard/1"),
        (#"{"op":"send","event":"x"}"#, "add `to`, an address such as scoreboard/1"),
        (#"{"op":"send","to":"a"}"#, "add `event`, such as togglePause"),
        ("{}", "add `op`, such as ping"), (#"{"id":1}"#, "add `op`, such as ping"),
    ])
    func `The error for a missing key says what to add`(line: String, message: String) throws {
        #expect(try #require(refusal(of: line)).error == WireError(.badRequest, message))
    }

    @Test(arguments: [
        (#"{"op":1}"#, "`op` must be a text"),
        (#"{"op":"hello","protocol":"1"}"#, "`protocol` must be an integer"),
        (#"{"op":"list","to":1}"#, "`to` must be an address or a pattern"),
        (#"{"op":"get","to":1}"#, "`to` must be a text"),
        (#"{"op":"subscribe","to":"a","as":1}"#, "`as` must be a text"),
        (#"{"op":"subscribe","to":"a","only":"x"}"#, "`only` must be a list of event names"),
        (#"{"op":"subscribe","to":"a","only":[1]}"#, "`only` must be a list of event names"),
        (#"{"op":"subscribe","to":"a","since":1}"#, "`since` must be a cursor from a `live` line"),
        (#"{"op":"subscribe","to":"*","since":"m:1"}"#, "`since` needs one address, not a pattern"),
        (#"{"op":"ping","to":"a"}"#, "this request has no key `to`"),
    ])
    func `The error for a wrong key names it and the fix`(line: String, message: String) throws {
        #expect(try #require(refusal(of: line)).error == WireError(.badRequest, message))
    }

    @Test func `Only protocol 1 is supported`() throws {
        for version in [0, 2, -1, 99] {
            let error = try #require(refusal(of: #"{"op":"hello","protocol":\#(version)}"#)).error
            #expect(error.code == .unsupportedProtocol)
        }
    }

    @Test func `A cursor needs a single address`() throws {
        for pattern in ["**", "a/*", "a/**"] {
            let line = #"{"op":"subscribe","to":"\#(pattern)","since":"m:1"}"#
            #expect(try #require(refusal(of: line)).error.code == .badRequest)
        }
    }

    @Test(arguments: [
        ("subscrbe", ["subscribe"]), ("PING", ["ping"]), ("sned", ["send"]), ("lst", ["list"]),
        ("frobnicate", []), ("", []), ("unsubscribed", ["unsubscribe", "subscribe"]),
    ])
    func `An unknown operation is refused, with similar names`(op: String, near: [String]) throws {
        let refused = try #require(refusal(of: #"{"op":"\#(op)","what":1,"id":"q"}"#))
        #expect(refused.error.code == .unknownOp)
        #expect(refused.error.suggestions == near)
        #expect(refused.id == .text("q"))
    }

    @Test(arguments: ["1", "null", "[]", "{}", "true"])
    func `An operation is a text`(op: String) throws {
        #expect(try #require(refusal(of: #"{"op":\#(op)}"#)).error.code == .badRequest)
    }

    @Test(arguments: ["[]", "1", #""ping""#, "null"])
    func `A request is an object`(line: String) throws {
        #expect(try #require(refusal(of: line)).error.code == .parse)
    }

    @Test func `A request may be written with escapes`() throws {
        guard case .ping = try read(#"{"\u006fp":"p\u0069ng","\u0069d":1}"#).operation else {
            Issue.record("this is not ping")
            return
        }
    }

    @Test func `Each operation has an example, in the order of the protocol`() throws {
        #expect(
            Request.examples.map(\.op) == [
                "hello", "list", "describe", "get", "subscribe", "unsubscribe", "send", "ping",
                "help",
            ])
        for (op, line) in Request.examples {
            _ = try read(line)
            let document = JSONDocument()
            try document.read(Array(line.utf8))
            #expect(document.root?["op"]?.text == op)
        }
    }
}
