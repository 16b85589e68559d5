import BusdProtocol
import BusdTestKit
import Testing

@Suite struct `A view that joins` {
    @Test func `A view that joins gets the answer, the snapshot, live, and then every event`() {
        let bus = TestBus.lab("a")
        let view = bus.connect()
        view.send(#"{"op":"subscribe","to":"part/a","id":1}"#)
        view.expect(
            #"{"ok":{"to":"part/a","matched":["part/a"],"resumed":false},"id":1}"#,
            #"{"from":"part/a","seq":0,"snapshot":true,"more":true,"event":{"left":{"number":0}}}"#,
            #"{"from":"part/a","seq":0,"snapshot":true,"more":true,"event":{"right":"#
                + #"{"number":0}}}"#,
            #"{"from":"part/a","seq":0,"snapshot":true,"event":{"items":{"list":[]}}}"#,
            #"{"live":"part/a","cursor":"1z141z7:0","done":"1z141z7:0"}"#)
        bus.connect().send(#"send part/a say {"text":"hi"}"#)
        view.expect(#"{"from":"part/a","seq":1,"event":{"said":{"text":"hi"}}}"#)
    }

    @Test func `A subscribe without an id is answered`() {
        let view = TestBus.lab().connect()
        view.send("subscribe bench")
        view.expect(
            #"{"ok":{"to":"bench","matched":["bench"],"resumed":false}}"#,
            #"{"from":"bench","seq":0,"snapshot":true,"event":{"parts":{"names":[]}}}"#,
            #"{"live":"bench","cursor":"…:0","done":"…"}"#)
    }

    @Test func `A snapshot has the current values in the order in which they were first sent`() {
        let bus = TestBus.lab("a")
        let other = bus.connect()
        other.send(
            #"send part/a set {"right":2}"#, #"send part/a say {"text":"gone"}"#,
            #"send part/a set {"left":1}"#, #"send part/a append {"item":"x"}"#)
        let view = bus.connect()
        view.send("subscribe part/a")
        view.expect(
            #"{"ok":{"to":"part/a","matched":["part/a"],"resumed":false}}"#,
            #"{"from":"part/a","seq":4,"snapshot":true,"more":true,"event":{"left":{"number":1}}}"#,
            #"{"from":"part/a","seq":4,"snapshot":true,"more":true,"event":{"right":"#
                + #"{"number":2}}}"#,
            #"{"from":"part/a","seq":4,"snapshot":true,"event":{"items":{"list":["x"]}}}"#,
            #"{"live":"part/a","cursor":"…:4","done":"…"}"#)
    }

    @Test func `A join of a view model without a value gets the answer and live`() {
        let bus = TestBus.echoes()
        let view = bus.connect()
        view.send("subscribe echo/x")
        view.expect(
            #"{"ok":{"to":"echo/x","matched":["echo/x"],"resumed":false}}"#,
            #"{"live":"echo/x","cursor":"…:0","done":"…"}"#)
    }

    @Test func `A pattern joins all matching view models in address order, then it is live`() {
        let bus = TestBus.lab("b", "a")
        let view = bus.connect()
        view.send(#"{"op":"subscribe","to":"part/*","only":["left"]}"#)
        view.expect(
            #"{"ok":{"to":"part/*","matched":["part/a","part/b"],"resumed":false}}"#,
            #"{"from":"part/a","seq":0,"snapshot":true,"event":{"left":{"number":0}}}"#,
            #"{"live":"part/a","cursor":"…:0","done":"…"}"#,
            #"{"from":"part/b","seq":0,"snapshot":true,"event":{"left":{"number":0}}}"#,
            #"{"live":"part/b","cursor":"…:0","done":"…"}"#, #"{"live":"part/*"}"#)
    }

    @Test
    func `An event that waking causes before a snapshot is not sent to the joining view`() {
        let bus = TestBus.lab("0loud", "a")
        let (early, late) = (bus.connect(), bus.connect())
        early.join("part/a")
        late.send(#"{"op":"subscribe","to":"part/*","only":["said"]}"#)
        early.expect(#"{"from":"part/a","seq":1,"event":{"said":{"text":"woken"}}}"#)
        late.expect(
            #"{"ok":{"to":"part/*","matched":["part/0loud","part/a"],"resumed":false}}"#,
            #"{"live":"part/0loud","cursor":"…:0","done":"…"}"#,
            #"{"live":"part/a","cursor":"…:1","done":"…"}"#,
            #"{"live":"part/*"}"#)
    }

    @Test func `Events that an arrival causes when it wakes follow earlier events`() {
        let bus = TestBus.lab("a")
        let view = bus.connect()
        view.send(#"{"op":"subscribe","to":"part/*","only":["said"]}"#)
        _ = view.takeLines()
        bus.connect().send(#"send bench announce {"part":"loud","by":"a","text":"before"}"#)
        view.expect(
            #"{"live":"part/loud","cursor":"…:0","done":"…"}"#,
            #"{"from":"part/a","seq":1,"event":{"said":{"text":"before"}}}"#,
            #"{"from":"part/a","seq":2,"event":{"said":{"text":"woken"}}}"#)
    }

    @Test func `A pattern that matches nothing is live`() {
        let view = TestBus.lab().connect()
        view.send("subscribe nothing/**")
        view.expect(
            #"{"ok":{"to":"nothing/**","matched":[],"resumed":false}}"#, #"{"live":"nothing/**"}"#)
    }

    @Test func `A view model that arrives later is joined in the same way`() {
        let bus = TestBus.lab("a")
        let view = bus.connect()
        view.join("part/**")
        bus.connect().send(#"send bench add {"part":"b"}"#, #"send part/b say {"text":"hi"}"#)
        view.expect(
            #"{"from":"part/b","seq":0,"snapshot":true,"more":true,"event":{"left":{"number":0}}}"#,
            #"{"from":"part/b","seq":0,"snapshot":true,"more":true,"event":{"right":"#
                + #"{"number":0}}}"#,
            #"{"from":"part/b","seq":0,"snapshot":true,"event":{"items":{"list":[]}}}"#,
            #"{"live":"part/b","cursor":"…:0","done":"…"}"#,
            #"{"from":"part/b","seq":1,"event":{"said":{"text":"hi"}}}"#)
    }

    @Test func `A subscribe to a missing address is refused with suggestions`() {
        let bus = TestBus.lab("a")
        let view = bus.connect()
        view.send(#"{"op":"subscribe","to":"part/b","id":1}"#)
        view.expect(
            #"{"error":{"code":"unknownViewModel","message":"there is no view model part/b","#
                + #""suggestions":["part/a"]},"id":1}"#)
        bus.connect().send(#"send bench add {"part":"b"}"#)
        view.expectNothing()
    }

    @Test func `A second subscribe with the same pattern replaces the first, with a snapshot`() {
        let bus = TestBus.lab("a")
        let view = bus.connect()
        view.join("part/a")
        view.send(#"{"op":"subscribe","to":"part/a","only":["left"]}"#)
        view.expect(
            #"{"ok":{"to":"part/a","matched":["part/a"],"resumed":false}}"#,
            #"{"from":"part/a","seq":0,"snapshot":true,"event":{"left":{"number":0}}}"#,
            #"{"live":"part/a","cursor":"…:0","done":"…"}"#)
        bus.connect().send(#"send part/a set {"left":1,"right":1}"#)
        view.expect(#"{"from":"part/a","seq":1,"event":{"left":{"number":1}}}"#)
        view.send(#"{"op":"unsubscribe","to":"part/a","id":2}"#)
        view.expect(#"{"ok":{},"id":2}"#)
        bus.connect().send(#"send part/a set {"left":2}"#)
        view.expectNothing()
    }

    @Test func `A view with several matching patterns gets each event once`() {
        let bus = TestBus.lab("a")
        let view = bus.connect()
        for pattern in ["part/a", "part/*", "**"] { view.join(pattern) }
        bus.connect().send(#"send part/a say {"text":"hi"}"#)
        view.expect(#"{"from":"part/a","seq":1,"event":{"said":{"text":"hi"}}}"#)
        view.send("unsubscribe part/a", "unsubscribe **")
        bus.connect().send(#"send part/a say {"text":"ho"}"#)
        view.expect(#"{"from":"part/a","seq":2,"event":{"said":{"text":"ho"}}}"#)
        view.send("unsubscribe part/*")
        bus.connect().send(#"send part/a say {"text":"he"}"#)
        view.expectNothing()
    }

    @Test func `The end of a view model is reported, and its successor is joined by patterns only`()
    {
        let bus = TestBus.lab("a")
        let (exact, pattern) = (bus.connect(), bus.connect())
        exact.join("part/a")
        pattern.join("part/*")
        let other = bus.connect()
        other.send(#"send bench remove {"part":"a"}"#)
        exact.expect(#"{"gone":"part/a"}"#)
        pattern.expect(#"{"gone":"part/a"}"#)
        other.send(#"send bench add {"part":"a"}"#)
        pattern.expect(
            #"{"from":"part/a","seq":0,…"left"…"#, #"{"from":"part/a","seq":0,…"right"…"#,
            #"{"from":"part/a","seq":0,…"items"…"#, #"{"live":"part/a","cursor":"…:0","done":"…"}"#)
        exact.expectNothing()
        exact.send(#"{"op":"unsubscribe","to":"part/a","id":1}"#)
        exact.expect(
            #"{"error":{"code":"badRequest","message":"this connection has no subscription to part/a"},"#
                + #""id":1}"#
        )
    }

    @Test func `A view gets events before its unsubscribe, and none after it`() {
        let bus = TestBus.lab("a")
        let view = bus.connect()
        view.join("part/a")
        view.send(
            #"send part/a say {"text":"before"}"#, #"{"op":"unsubscribe","to":"part/a","id":1}"#,
            #"send part/a say {"text":"after"}"#)
        view.expect(
            #"{"from":"part/a","seq":1,"event":{"said":{"text":"before"}}}"#, #"{"ok":{},"id":1}"#)
    }

    @Test func `An unsubscribe without an id gets no answer`() {
        let view = TestBus.lab("a").connect()
        view.join("part/a")
        view.send("unsubscribe part/a")
        view.expectNothing()
    }
}

@Suite struct `Getting a view model` {
    @Test func `A get returns the address, the cursor and the snapshot`() {
        let bus = TestBus.lab("a")
        let view = bus.connect()
        view.send(#"send part/a set {"left":3}"#, "get part/a")
        view.expect(
            #"{"ok":{"address":"part/a","cursor":"1z141z7:1","done":"…","events":[{"left":{"number":3}},"#
                + #"{"right":{"number":0}},{"items":{"list":[]}}]}}"#)
    }

    @Test func `A get does not subscribe`() {
        let bus = TestBus.lab("a")
        let view = bus.connect()
        view.send("get part/a")
        _ = view.takeLines()
        bus.connect().send(#"send part/a say {"text":"hi"}"#)
        view.expectNothing()
    }

    @Test func `A get needs the address of an existing view model`() {
        let view = TestBus.lab().connect()
        view.send(#"{"op":"get","to":"part/a"}"#, #"{"op":"get","to":"part/*","id":1}"#)
        view.expect(
            #"{"error":{"code":"unknownViewModel","message":"there is no view model part/a"}}"#,
            #"{"error":{"code":"badRequest","message":"`to` must be the address of one view model"},"#
                + #""id":1}"#
        )
    }
}
