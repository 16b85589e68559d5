import BusdProtocol
import BusdTestKit
import Testing

@Suite struct `The view socket` {
    let bus = TestBus.lab("a")
    let view: TestConnection

    init() { view = bus.connect(throughViewSocket: true) }

    @Test func `A send through the view socket is refused`() {
        let other = bus.connect()
        other.join("part/a")
        view.send(
            #"{"op":"send","to":"part/a","event":{"say":{"text":"x"}},"id":1}"#,
            #"send part/a say {"text":"x"}"#, #"{"op":"send","to":"nobody","event":"x","id":2}"#)
        let refusal =
            #"{"error":{"code":"notAllowed","message":"#
            + #""the view socket accepts no `send`: use the control socket"}"#
        view.expect(refusal + #","id":1}"#, refusal + "}", refusal + #","id":2}"#)
        other.expectNothing()
    }

    @Test func `A malformed send through the view socket is refused as malformed`() {
        view.send(#"{"op":"send","to":"part/a","id":1}"#)
        view.expect(
            #"{"error":{"code":"badRequest","message":"add `event`, such as togglePause"},"id":1}"#)
    }

    @Test func `Requests other than send are allowed through the view socket`() {
        view.send(
            "list part/*", "get part/a", #"{"op":"subscribe","to":"part/*","only":["said"]}"#,
            "ping")
        view.expect(
            #"{"ok":{"viewModels":[{"address":"part/a",…}]}}"#, #"{"ok":{"address":"part/a",…}}"#,
            #"{"ok":{"to":"part/*","matched":["part/a"],"resumed":false}}"#,
            #"{"live":"part/a","cursor":"…:0","done":"…"}"#, #"{"live":"part/*"}"#, #"{"ok":{}}"#)
        bus.connect().send(#"send part/a say {"text":"x"}"#)
        view.expect(#"{"from":"part/a","seq":1,"event":{"said":{"text":"x"}}}"#)
        view.send(#"{"op":"unsubscribe","to":"part/*","id":1}"#, "describe part", "help")
        view.expect(#"{"ok":{},"id":1}"#, #"{"ok":{"kind":"part",…}}"#, #"{"ok":{"ops":[…]}}"#)
    }

    @Test func `The view socket makes nothing on demand, but can watch existing view models`() {
        let bus = TestBus.echoes()
        let view = bus.connect(throughViewSocket: true)
        view.send("subscribe echo/x", "get echo/x", "list echo/*", "describe echo/x")
        let refusal =
            #"{"error":{"code":"unknownViewModel","message":"there is no view model echo/x; "#
            + #"use the control socket to make it"}}"#
        view.expect(
            refusal, refusal,
            #"{"ok":{"viewModels":[]}}"#, #"{"ok":{"kind":"echo",…}}"#)
        let control = bus.connect()
        control.send(#"send echo/x say {"text":"hi"}"#)
        view.send("subscribe echo/x")
        view.expect(
            #"{"ok":{"to":"echo/x","matched":["echo/x"],"resumed":false}}"#,
            #"{"live":"echo/x","cursor":"…:1","done":"…"}"#)
        control.send(#"send echo/x say {"text":"ho"}"#)
        view.expect(#"{"from":"echo/x","seq":2,"event":{"said":{"text":"ho"}}}"#)
    }
}
