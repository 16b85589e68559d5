import BusdProtocol
import BusdTestKit
import Testing

@Suite struct `A line` {
    let bus = TestBus.lab("a")
    let client: TestConnection

    init() { client = bus.connect() }

    private func send(_ text: String) { client.send(bytes: Array(text.utf8)) }

    @Test func `A line ends with LF, and a CR before it is dropped`() {
        send("ping\nping\r\n{\"op\":\"ping\"}\r\n")
        client.expect(#"{"ok":{}}"#, #"{"ok":{}}"#, #"{"ok":{}}"#)
    }

    @Test func `A line may arrive byte by byte`() {
        for byte in #"{"op":"ping","id":"é"}"#.utf8 { client.send(bytes: [byte]) }
        client.expectNothing()
        send("\n")
        client.expect(#"{"ok":{},"id":"é"}"#)
    }

    @Test func `The last line of the input needs no LF`() {
        send("ping")
        client.expectNothing()
        client.endInput()
        client.expect(#"{"ok":{}}"#)
        #expect(client.isClosed)
    }

    @Test func `An empty line or one that begins with a hash is ignored`() {
        send("\n\r\n   \n\t\n# ping\n#\n  # {\n#}\u{0}\npinge\n")
        client.expect(#"{"error":{"code":"unknownOp",…"suggestions":["ping"]}}"#)
    }

    @Test func `A line may have spaces around it`() {
        send("  ping  \n\tping\t \n   {\"op\":\"ping\"}\t \r\n")
        client.expect(#"{"ok":{}}"#, #"{"ok":{}}"#, #"{"ok":{}}"#)
    }

    @Test func `A line that begins with a brace is JSON, any other is words`() {
        send("{\"op\":\"ping\",}\n[1]\nget part/b\n\"ping\"\n")
        client.expect(
            #"{"error":{"code":"parse","message":"expected a key, at byte 14"}}"#,
            #"{"error":{"code":"unknownOp","message":"unknown operation `[1]`: …"}}"#,
            #"{"error":{"code":"unknownViewModel","message":"…","suggestions":["part/a"]}}"#,
            #"{"error":{"code":"unknownOp","message":"unknown operation `\"ping\"`: …","#
                + #""suggestions":["ping"]}}"#
        )
    }

    @Test func `A line must be UTF-8 without a byte-order mark`() {
        send("\u{FEFF}{\"op\":\"ping\"}\n\u{FEFF}ping\nping\n")
        client.send(bytes: [0x70, 0xFF, 0x0A])
        client.send(bytes: Array(#"{"op":""#.utf8) + [0xC3] + Array("\"}\n".utf8))
        client.expect(
            #"{"error":{"code":"parse","message":"a line must be UTF-8 without a byte-order mark"}}"#,
            #"{"error":{"code":"parse","message":"a line must be UTF-8 without a byte-order mark"}}"#,
            #"{"ok":{}}"#,
            #"{"error":{"code":"parse","message":"a line must be UTF-8 without a byte-order mark"}}"#,
            #"{"error":{"code":"parse","message":"invalid UTF-8, at byte 8"}}"#)
    }

    @Test func `A line must not contain U+0000 in any form`() {
        send("get a\u{0}\n{\"op\":\"get\",\"to\":\"\\u0000\"}\n")
        client.expect(
            #"{"error":{"code":"parse","message":"U+0000 is not allowed"}}"#,
            #"{"error":{"code":"parse","message":"U+0000 is not allowed, at byte 25"}}"#)
    }

    // MARK: Length

    @Test(arguments: ["\n", "\r\n"])
    func `A line has at most 65536 bytes, without its LF and a CR before it`(end: String) {
        let ping = #"{"op":"ping"}"#
        for (count, isTaken) in [(65_535, true), (65_536, true), (65_537, false), (65_538, false)] {
            send(ping + String(repeating: " ", count: count - ping.utf8.count) + end)
            client.expect(
                isTaken
                    ? #"{"ok":{}}"#
                    : #"{"error":{"code":"tooLong","message":"#
                        + #""a line must have at most 65536 bytes (limit line)"}}"#
            )
        }
        send("ping\n")
        client.expect(#"{"ok":{}}"#)
    }

    @Test
    func `A line that is too long is refused before it ends, and the rest up to its LF is ignored`()
    {
        send(String(repeating: "x", count: 65_537))
        client.expect(#"{"error":{"code":"tooLong",…}}"#)
        send(String(repeating: "x", count: 200_000))
        send("x\nping\n")
        client.expect(#"{"ok":{}}"#)
    }

    @Test func `A second CR makes a line of the greatest length too long`() {
        send(String(repeating: "x", count: 65_536))
        client.expectNothing()
        send("\r")
        client.expectNothing()
        send("\r")
        client.expect(#"{"error":{"code":"tooLong",…}}"#)
        client.endInput()
        client.expectNothing()
        #expect(client.isClosed)
    }

    @Test func `A line of the greatest length and a CR may end the input`() {
        send("#" + String(repeating: "x", count: 65_535) + "\r")
        client.endInput()
        client.expectNothing()
    }

    @Test func `A comment that is too long is refused`() {
        send("#" + String(repeating: "x", count: 65_536) + "\nping\n")
        client.expect(#"{"error":{"code":"tooLong",…}}"#, #"{"ok":{}}"#)
    }

    // MARK: Bad input

    private let goodbye =
        #"{"bye":{"code":"badInput","message":"three lines in a row were not requests"}}"#

    @Test func `Three lines in a row that are not requests end the connection`() {
        send("{\nnonsense\n" + String(repeating: "x", count: 65_537) + "\nping\n")
        client.expect(
            #"{"error":{"code":"parse",…}}"#, #"{"error":{"code":"unknownOp",…}}"#,
            #"{"error":{"code":"tooLong",…}}"#, goodbye)
        #expect(client.isClosed)
    }

    @Test(arguments: [
        "ping", "get part/b", #"{"op":"get"}"#, #"{"op":"send","to":"part/a","event":1}"#,
    ])
    func `A request resets the count of bad lines, also if it is refused`(line: String) {
        send("x\nx\n\(line)\nx\nx\n")
        _ = client.takeLines()
        #expect(!client.isClosed)
        send("x\n")
        client.expect(#"{"error":{"code":"unknownOp",…}}"#, goodbye)
    }

    @Test func `A comment or an empty line does not reset the count of bad lines`() {
        send("x\n#\nx\n\nx\n")
        client.expect("…", "…", "…", goodbye)
    }

    @Test func `A line after the goodbye has no effect`() {
        let view = bus.connect()
        view.join("part/a")
        send("x\nx\nx\nsend part/a say {\"text\":\"hi\"}\n")
        view.expectNothing()
        client.expect("…", "…", "…", goodbye)
    }
}

@Suite struct `The words` {
    @Test func `Requests in words are answered`() {
        let client = TestBus.lab("a").connect()
        client.send(
            "subscribe part/a container", #"send part/a set {"left": 1}"#, "send bench nothing",
            "ping",
            "get part/a", "unsubscribe part/a", #"send part/a say {"text":"a b"}"#, "list part/*")
        client.expect(
            #"{"ok":{"to":"part/a","matched":["part/a"],"resumed":false}}"#, "…", "…", "…",
            #"{"live":"part/a","cursor":"…:0","done":"…"}"#,
            #"{"from":"part/a","seq":1,"event":{"left":{"number":1}}}"#, #"{"ok":{}}"#,
            #"{"ok":{"address":"part/a","cursor":"…:1","done":"…","events":[…]}}"#,
            #"{"ok":{"viewModels":[{"address":"part/a","kind":"part","views":0,"seq":2}]}}"#)
    }

    @Test func `A payload in words must be JSON by itself`() {
        let client = TestBus.lab("a").connect()
        client.send(
            #"send part/a say {"text":"x"},"end":{}"#, #"send part/a say {"text":"x"}},"key":"k""#,
            "send part/a say x", "ping")
        client.expect(
            #"{"error":{"code":"parse",…}}"#, #"{"error":{"code":"parse",…}}"#,
            #"{"error":{"code":"parse",…}}"#,
            #"{"bye":{"code":"badInput","message":"three lines in a row were not requests"}}"#)
    }
}
