import BusdProtocol
import BusdTestKit
import Testing

@Suite struct `Requests` {
    let bus = TestBus.lab("b", "a")
    let client: TestConnection

    init() { client = bus.connect() }

    // MARK: hello

    private let limits =
        #"{"line":65536,"depth":32,"values":4096,"text":200,"output":262144,"#
        + #""outputTotal":33554432,"subscriptions":256,"connections":4096,"#
        + #""connectionsReserved":512,"connectionsPerUser":1024,"onDemand":4096,"#
        + #""perConnection":4,"history":1024}"#

    @Test func `A hello is answered with the connection, the access and the limits`() {
        client.send(#"{"op":"hello","protocol":1,"name":"courtside","id":0}"#)
        client.expect(
            #"{"ok":{"protocol":1,"server":"test","connection":2,"access":"control","#
                + #""durability":"none","limits":\#(limits)},"id":0}"#)
        let view = bus.connect(throughViewSocket: true)
        view.send(#"{"op":"hello","protocol":1}"#)
        view.expect(
            #"{"ok":{"protocol":1,"server":"test","connection":3,"access":"view","#
                + #""durability":"none","limits":\#(limits)}}"#)
    }

    @Test func `Only clients that may manage the daemon get the folder of the store`() {
        let bus = TestBus(log: MemoryLog(), state: "/var/lib/busd") { _ in }
        for user in [0, TestBus.owner] {
            let client = bus.connect(user: user)
            client.send(#"{"op":"hello","protocol":1}"#)
            client.expect(#"{"ok":{…,"durability":"none","state":"/var/lib/busd","limits":…}}"#)
            let view = bus.connect(throughViewSocket: true, user: user)
            view.send(#"{"op":"hello","protocol":1}"#)
            view.expect(#"{"ok":{…,"access":"view","durability":"none","limits":…}}"#)
        }
        let other = bus.connect(user: 7)
        other.send(#"{"op":"hello","protocol":1}"#)
        other.expect(#"{"ok":{…,"access":"control","durability":"none","limits":…}}"#)
    }

    @Test func `A hello is optional, and may be sent at any time`() {
        client.send("ping", #"{"op":"hello","protocol":1}"#, #"{"op":"hello","protocol":1}"#)
        client.expect(#"{"ok":{}}"#, #"{"ok":{"protocol":1,…}}"#, #"{"ok":{"protocol":1,…}}"#)
    }

    @Test func `A hello must be in protocol 1`() {
        client.send(
            #"{"op":"hello"}"#, #"{"op":"hello","protocol":2,"id":1}"#,
            #"{"op":"hello","protocol":"1"}"#)
        client.expect(
            #"{"error":{"code":"badRequest","message":"add `protocol`, the integer 1"}}"#,
            #"{"error":{"code":"unsupportedProtocol","message":"…"},"id":1}"#,
            #"{"error":{"code":"badRequest","message":"`protocol` must be an integer"}}"#)
    }

    // MARK: list

    @Test func `A list has all view models in address order, with their views and seq`() {
        client.send(#"{"op":"send","to":"part/b","event":{"say":{"text":"x"}}}"#)
        let view = bus.connect()
        for pattern in ["part/a", "part/*", "nothing/*"] { view.join(pattern) }
        client.send(#"{"op":"list","id":1}"#)
        client.expect(
            #"{"ok":{"viewModels":[{"address":"bench","kind":"bench","views":0,"seq":2},"#
                + #"{"address":"bus/views","kind":"views","views":0,"seq":0},"#
                + #"{"address":"part/a","kind":"part","views":1,"seq":0},"#
                + #"{"address":"part/b","kind":"part","views":1,"seq":1}]},"id":1}"#)
    }

    @Test func `A list has only the view models that match`() {
        client.send("list part/a", "list nothing/**", "list part/c", "list **")
        client.expect(
            #"{"ok":{"viewModels":[{"address":"part/a","kind":"part","views":0,"seq":0}]}}"#,
            #"{"ok":{"viewModels":[]}}"#, #"{"ok":{"viewModels":[]}}"#,
            #"{"ok":{"viewModels":[{"address":"bench",…"part/b",…}]}}"#)
    }

    // MARK: describe

    @Test func `A describe takes a kind or the address of a view model`() {
        client.send("describe bench", #"{"op":"describe","to":"bench","id":7}"#)
        let bench =
            #"{"ok":{"kind":"bench","viewEvents":["#
            + #"{"name":"add","fields":{"part":"text"},"example":{"add":{"part":"a"}}},"#
            + #"{"name":"remove","fields":{"part":"text"},"example":{"remove":{"part":"a"}}},"#
            + #"{"name":"tell","fields":{"parts":"list","text":"text"},"#
            + #""types":{"parts":{"list":"text"}},"#
            + #""example":{"tell":{"parts":["a"],"text":"hi"}}},"#
            + #"{"name":"announce","fields":{"part":"text","by":"text","text":"text"},"#
            + #""example":{"announce":{"part":"b","by":"a","text":"hi"}}},"#
            + #"{"name":"nothing","fields":{},"example":{"nothing":{}}}],"#
            + #""viewModelEvents":[{"name":"parts","fields":{"names":"list"},"#
            + #""types":{"names":{"list":"text"}},"example":{"parts":{"names":["a"]}},"delivery":"latest"}]}"#
        client.expect(bench + "}", bench + #","id":7}"#)
        client.send("describe part/a", "describe part")
        let lines = client.takeLines()
        #expect(lines.count == 2 && lines.first == lines.last)
        #expect(
            lines.first?.contains(
                #"{"name":"set","fields":{"left":"integer?","right":"integer?"},"#
                    + #""example":{"set":{"left":1,"right":2}}}"#) == true)
        #expect(
            lines.first?.contains(
                #"{"name":"said","fields":{"text":"text"},"example":{"said":{"text":"hi"}},"#
                    + #""delivery":"every"}"#) == true)
    }

    @Test func `A describe of a missing kind or address is refused`() {
        client.send("describe part/c", "describe parts", "describe ü*")
        client.expect(
            #"{"error":{"code":"unknownViewModel","message":"#
                + #""there is no view model and no kind part/c","#
                + #""suggestions":["part/a","part/b","part"]}}"#,
            #"{"error":{"code":"unknownViewModel","message":"…","suggestions":["part"]}}"#,
            #"{"error":{"code":"badRequest","message":"…"}}"#)
    }

    // MARK: The rest

    @Test func `A ping is answered with its id`() {
        client.send(
            #"{"op":"ping","id":7}"#, #"{"op":"ping"}"#, #"{"op":"ping","id":""}"#,
            #"{"op":"ping","id":9007199254740991,"x-why":[]}"#)
        client.expect(
            #"{"ok":{},"id":7}"#, #"{"ok":{}}"#, #"{"ok":{},"id":""}"#,
            #"{"ok":{},"id":9007199254740991}"#)
    }

    @Test func `Help lists all requests as JSON`() {
        client.send(#"{"op":"help","id":1}"#)
        client.expect(
            #"{"ok":{"ops":[{"op":"hello","example":{"op":"hello","protocol":1,…}},"#
                + #"{"op":"list",…},{"op":"describe",…},{"op":"get",…},{"op":"subscribe",…},"#
                + #"{"op":"unsubscribe",…},{"op":"send",…},{"op":"ping","example":{"op":"ping","#
                + #""id":3}},"#
                + #"{"op":"help","example":{"op":"help"}}]},"id":1}"#)
    }

    @Test func `Help in words lists requests in words`() {
        client.send("help", #"{"op":"help","as":"words","id":1}"#)
        let ops =
            #""ops":[{"op":"list","example":"list scoreboard/**"},"#
            + #"{"op":"describe","example":"describe scoreboard"},"#
            + #"{"op":"get","example":"get scoreboard/1"},"#
            + #"{"op":"subscribe","example":"subscribe scoreboard/** container"},"#
            + #"{"op":"unsubscribe","example":"unsubscribe scoreboard/**"},"#
            + #"{"op":"send","example":"send echo/me say {\"text\":\"hello\"}"},"#
            + #"{"op":"ping","example":"ping"},{"op":"help","example":"help"}]"#
        client.expect(#"{"ok":{\#(ops)}}"#, #"{"ok":{\#(ops)},"id":1}"#)
    }

    @Test func `A describe without an address lists all kinds`() {
        client.send("describe bench", "describe part", "describe")
        let lines = client.takeLines()
        let kinds = lines.prefix(2).map { $0.dropFirst(#"{"ok":"#.count).dropLast() }
        #expect(lines.count == 3)
        // The kinds of the bus itself come first.
        let all = lines.last ?? ""
        #expect(all.hasPrefix(#"{"ok":{"kinds":[{"kind":"views","#))
        #expect(all.hasSuffix(kinds.joined(separator: ",") + "]}}"))
    }

    @Test func `An unsubscribe must name the pattern of a subscription`() {
        client.join("part/*")
        client.send(#"{"op":"unsubscribe","to":"part/a","id":1}"#, "unsubscribe **")
        client.expect(
            #"{"error":{"code":"badRequest","message":"this connection has no subscription to part/a"},"#
                + #""id":1}"#,
            #"{"error":{"code":"badRequest","message":"this connection has no subscription to **"}}"#
        )
        client.send("unsubscribe part/*", #"{"op":"unsubscribe","to":"part/*","id":2}"#)
        client.expect(
            #"{"error":{"code":"badRequest","message":"this connection has no subscription to part/*"},"#
                + #""id":2}"#
        )
    }

    @Test func `A refused request changes nothing`() {
        client.join("part/a")
        client.send(
            #"{"op":"subscribe","to":"part/a","only":["left",1]}"#,
            #"{"op":"send","to":"part/a","event":{"say":{"text":"x"}},"kye":"k"}"#,
            #"{"op":"unsubscribe","to":"part/a","id":true}"#)
        client.expect(
            #"{"error":{"code":"badRequest","message":"`only` must be a list of event names"}}"#,
            #"{"error":{"code":"badRequest","message":"this request has no key `kye`"}}"#,
            #"{"error":{"code":"badRequest","message":"`id` must be a text …"}}"#)
        bus.connect().send(#"send part/a say {"text":"y"}"#)
        client.expect(#"{"from":"part/a","seq":1,"event":{"said":{"text":"y"}}}"#)
    }

    @Test func `Requests are handled in order`() {
        client.send(
            #"{"op":"subscribe","to":"part/a","only":["said"],"id":1}"#,
            #"{"op":"send","to":"part/a","event":{"say":{"text":"x"}},"id":2}"#,
            #"{"op":"nothing","id":3}"#,
            #"{"op":"unsubscribe","to":"part/a","id":4}"#, #"{"op":"ping","id":5}"#)
        client.expect(
            #"{"ok":{"to":"part/a","matched":["part/a"],"resumed":false},"id":1}"#,
            #"{"live":"part/a","cursor":"…:0","done":"…"}"#,
            #"{"from":"part/a","seq":1,"cause":{"connection":2,"id":2},"event":{"said":{"text":"#
                + #""x"}}}"#,
            #"{"ok":{"seq":[1,1],"changed":true},"id":2}"#,
            #"{"error":{"code":"unknownOp",…},"id":3}"#,
            #"{"ok":{},"id":4}"#, #"{"ok":{},"id":5}"#)
    }
}
