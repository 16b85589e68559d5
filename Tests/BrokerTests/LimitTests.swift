import BusdProtocol
import BusdTestKit
import Testing

@Suite struct `A limit` {
    private func limits(_ change: (inout Limits) -> Void) -> Limits {
        var limits = Limits()
        change(&limits)
        return limits
    }

    @Test func `A connection over the limit gets the reason and is closed`() {
        let bus = TestBus.echoes(limits: limits { $0.connections = 2 })
        let first = bus.connect()
        let second = bus.connect()
        let third = bus.connect()
        third.expect(
            #"{"bye":{"code":"overloaded","message":"#
                + #""too many connections: try again later (limit connections)"}}"#
        )
        #expect(third.isClosed)
        first.disconnect()
        let fourth = bus.connect()
        fourth.send("ping")
        second.send("ping")
        fourth.expect(#"{"ok":{}}"#)
        second.expect(#"{"ok":{}}"#)
    }

    @Test(arguments: [3, 256])
    func `The limit of subscriptions is per connection`(most: Int) {
        let bus = TestBus.lab("a", limits: limits { $0.subscriptions = most })
        let client = bus.connect()
        for number in 0..<most { client.join("x\(number)/*") }
        client.send(#"{"op":"subscribe","to":"part/a","id":1}"#)
        client.expect(
            #"{"error":{"code":"overloaded","message":"#
                + #""this connection has \#(most) subscriptions: unsubscribe from one (limit subscriptions)"},"#
                + #""id":1}"#
        )
        // An existing subscription may be replaced.
        client.send(
            "subscribe x0/*", "unsubscribe x1/*", #"{"op":"subscribe","to":"part/a","only":[]}"#)
        client.expect(
            #"{"ok":{"to":"x0/*","matched":[],"resumed":false}}"#, #"{"live":"x0/*"}"#,
            #"{"ok":{"to":"part/a","matched":["part/a"],"resumed":false}}"#, #"{"live":"part/a",…}"#
        )
        let other = bus.connect()
        other.send("subscribe x/*")
        other.expect(#"{"ok":{"to":"x/*","matched":[],"resumed":false}}"#, #"{"live":"x/*"}"#)
    }

    @Test func `The limit of view models on demand counts the existing ones`() {
        let bus = TestBus.echoes(limits: limits { $0.onDemand = 2 })
        let client = bus.connect()
        client.send("get echo/a", "get echo/b", "get echo/a")
        _ = client.takeLines()
        let refusal =
            #"{"error":{"code":"overloaded","message":"#
            + #""there are 2 view models on demand: try again later (limit onDemand)"}}"#
        client.send("get echo/c", "subscribe echo/c", #"send echo/c say {"text":"x"}"#)
        client.expect(refusal, refusal, refusal)
        bus.advance(by: .seconds(60))
        client.send("get echo/c")
        client.expect(#"{"ok":{"address":"echo/c",…}}"#)
    }

    @Test func `A request with too many levels or values is refused with parse`() {
        let bus = TestBus.lab()
        let client = bus.connect()
        func nested(_ levels: Int) -> String {
            #"{"op":"ping","x-":"# + String(repeating: "[", count: levels - 1)
                + String(repeating: "]", count: levels - 1) + "}"
        }
        func many(_ values: Int) -> String {
            // The object, its `op` and the list count as three values.
            #"{"op":"ping","x-":["#
                + Array(repeating: "0", count: values - 3).joined(separator: ",")
                + "]}"
        }
        client.send(nested(31), nested(32), nested(33), "ping")
        client.expect(
            #"{"ok":{}}"#, #"{"ok":{}}"#,
            #"{"error":{"code":"parse","message":"more than 32 levels (limit depth), …"}}"#,
            #"{"ok":{}}"#)
        client.send(many(4_095), many(4_096), many(4_097))
        client.expect(
            #"{"ok":{}}"#, #"{"ok":{}}"#,
            #"{"error":{"code":"parse","message":"more than 4096 values (limit values), …"}}"#)
    }

    @Test func `The refusal of a text that is too long names its key`() {
        let client = TestBus.lab("a").connect()
        let long = String(repeating: "x", count: 201)
        client.send(
            #"{"op":"hello","protocol":1,"name":"\#(long)"}"#,
            #"{"op":"subscribe","to":"part/a","as":"\#(long)"}"#,
            #"{"op":"send","to":"part/a","event":"end","key":"\#(long)"}"#,
            #"{"op":"ping","id":"\#(long)"}"#, "subscribe part/a \(long)")
        client.expect(
            #"{"error":{"code":"overloaded","message":"#
                + #""`name` must have at most 200 bytes (limit text)"}}"#,
            #"{"error":{"code":"overloaded","message":"`as` must have at most 200 bytes (limit text)"}}"#,
            #"{"error":{"code":"overloaded","message":"#
                + #""`key` must have at most 200 bytes (limit text)"}}"#,
            #"{"error":{"code":"badRequest","message":"`id` must be a text of at most 200 bytes …"}}"#,
            #"{"error":{"code":"overloaded","message":"`as` must have at most 200 bytes (limit text)"}}"#
        )
    }
}

@Suite struct `A view model on demand` {
    let bus = TestBus.echoes()
    let client: TestConnection

    init() { client = bus.connect() }

    private func there() -> [String] {
        let asking = bus.connect()
        asking.send("list echo/*")
        let line = asking.takeLines().first ?? ""
        return line.split(separator: "\"").map(String.init).filter { $0.hasPrefix("echo/") }
    }

    @Test(arguments: ["get echo/x", "subscribe echo/x", #"send echo/x say {"text":"x"}"#])
    func `A view model on demand is made by the first get, subscribe or send`(line: String) {
        client.send(line)
        _ = client.takeLines()
        #expect(there() == ["echo/x"])
    }

    @Test(arguments: [
        "describe echo/x", "list echo/x", "subscribe echo/*", "unsubscribe echo/x",
        #"send echo/x sya {"text":"x"}"#, #"send echo/x say {"txt":"x"}"#,
        #"{"op":"send","to":"echo/x","event":{"say":{"text":"x"}},"ifSeq":1}"#, "get echo",
        "get echo/x/y",
    ])
    func `A view model on demand is made by no other or refused request`(line: String) {
        client.send(line)
        _ = client.takeLines()
        #expect(there() == [])
    }

    @Test func `An arrival that a subscribe makes is first shown to the client's own pattern`() {
        client.join("echo/*")
        client.send("subscribe echo/x")
        client.expect(
            #"{"live":"echo/x","cursor":"…:0","done":"…"}"#,
            #"{"ok":{"to":"echo/x","matched":["echo/x"],"resumed":false}}"#,
            #"{"live":"echo/x","cursor":"…:0","done":"…"}"#)
    }

    @Test func `A view model on demand ends after 60 seconds without use`() {
        let view = bus.connect()
        view.join("echo/*")
        client.send("get echo/x")
        _ = client.takeLines()
        _ = view.takeLines()
        bus.advance(by: .microseconds(59_999_999))
        #expect(there() == ["echo/x"])
        bus.advance(by: .microseconds(1))
        // A pattern does not keep it.
        view.expect(#"{"gone":"echo/x"}"#)
        #expect(there() == [])
    }

    @Test func `Each get or send keeps a view model on demand for another 60 seconds`() {
        for line in [
            #"send echo/x say {"text":"1"}"#, "get echo/x", #"send echo/x say {"text":"2"}"#,
        ] {
            client.send(line)
            bus.advance(by: .seconds(59))
        }
        _ = client.takeLines()
        #expect(there() == ["echo/x"])
        bus.advance(by: .seconds(1))
        #expect(there() == [])
    }

    @Test func `A view model on demand ends 60 seconds after its last subscription`() {
        client.join("echo/x")
        client.join("echo/x")
        bus.advance(by: .seconds(600))
        client.send("unsubscribe echo/x")
        bus.advance(by: .seconds(59))
        #expect(there() == ["echo/x"])
        bus.advance(by: .seconds(1))
        #expect(there() == [])
    }

    @Test func `A view model on demand is kept until the last subscribed control client vanishes`()
    {
        let others = [bus.connect(), bus.connect()]
        client.join("echo/x")
        for other in others { other.join("echo/x") }
        client.disconnect()
        others[0].disconnect()
        bus.advance(by: .seconds(300))
        #expect(there() == ["echo/x"])
        others[1].disconnect()
        bus.advance(by: .seconds(60))
        #expect(there() == [])
    }

    @Test func `A view model on demand ends although a client has subscribed via the view socket`()
    {
        let view = bus.connect(throughViewSocket: true)
        client.send("get echo/x")
        _ = client.takeLines()
        view.join("echo/x")
        bus.advance(by: .microseconds(59_999_999))
        view.expectNothing()
        bus.advance(by: .microseconds(1))
        view.expect(#"{"gone":"echo/x"}"#)
        #expect(there() == [])
    }

    @Test func `Requests through the view socket do not keep a view model on demand`() {
        let view = bus.connect(throughViewSocket: true)
        client.send("get echo/x")
        _ = client.takeLines()
        bus.advance(by: .seconds(59))
        view.send("get echo/x", "subscribe echo/x", "unsubscribe echo/x")
        _ = view.takeLines()
        bus.advance(by: .seconds(1))
        #expect(there() == [])
    }

    @Test func `A view client does not keep a view model on demand after its control client`() {
        let view = bus.connect(throughViewSocket: true)
        client.join("echo/x")
        view.join("echo/x")
        bus.advance(by: .seconds(300))
        client.disconnect()
        view.send("unsubscribe echo/x")
        view.join("echo/x")
        bus.advance(by: .seconds(59))
        #expect(there() == ["echo/x"])
        bus.advance(by: .seconds(1))
        view.expect(#"{"gone":"echo/x"}"#)
    }

    @Test func `A view model on demand is made again with another mark`() {
        client.send("get echo/x")
        bus.advance(by: .seconds(60))
        client.send("get echo/x")
        client.expect(
            #"{"ok":{"address":"echo/x","cursor":"1z141z6:0","done":"…","events":[]}}"#,
            #"{"ok":{"address":"echo/x","cursor":"1z141z7:0","done":"…","events":[]}}"#)
    }
}
