import BusdProtocol
import BusdTestKit
import Testing

@Suite struct `An event` {
    let bus = TestBus.lab("a", "b")
    let view: TestConnection
    let other: TestConnection

    init() {
        view = bus.connect()
        other = bus.connect()
        view.join("part/*")
    }

    @Test func `is counted from 1, without a hole, for each view model by itself`() {
        other.send(
            #"send part/a say {"text":"1"}"#, #"send part/b say {"text":"2"}"#,
            #"send part/a say {"text":"3"}"#)
        view.expect(
            #"{"from":"part/a","seq":1,"event":{"said":{"text":"1"}}}"#,
            #"{"from":"part/b","seq":1,"event":{"said":{"text":"2"}}}"#,
            #"{"from":"part/a","seq":2,"event":{"said":{"text":"3"}}}"#)
    }

    @Test func `says that there is more of its update, unless it is the last`() {
        other.send(
            #"send part/a set {"left":1,"right":1}"#, #"send part/a burst {"count":3,"size":1}"#)
        view.expect(
            #"{"from":"part/a","seq":1,"more":true,"event":{"left":{"number":1}}}"#,
            #"{"from":"part/a","seq":2,"event":{"right":{"number":1}}}"#,
            #"{"from":"part/a","seq":3,"more":true,"event":{"said":{"text":"x"}}}"#,
            #"{"from":"part/a","seq":4,"more":true,"event":{"said":{"text":"x"}}}"#,
            #"{"from":"part/a","seq":5,"event":{"said":{"text":"x"}}}"#)
    }

    @Test func `belongs to the update of its own view model, whoever speaks in between`() {
        other.send(#"send bench tell {"parts":["a","b","a","b"],"text":"hi"}"#)
        view.expect(
            #"{"from":"part/a","seq":1,"more":true,"event":{"said":{"text":"hi"}}}"#,
            #"{"from":"part/b","seq":1,"more":true,"event":{"said":{"text":"hi"}}}"#,
            #"{"from":"part/a","seq":2,"event":{"said":{"text":"hi"}}}"#,
            #"{"from":"part/b","seq":2,"event":{"said":{"text":"hi"}}}"#)
    }

    @Test func `tells which request caused it, where that has an id`() {
        view.send(#"{"op":"send","to":"part/a","event":{"say":{"text":"1"}},"id":"a1"}"#)
        view.expect(
            #"{"from":"part/a","seq":1,"cause":{"connection":2,"id":"a1"},"event":{"said":"#
                + #"{"text":"1"}}}"#,
            #"{"ok":{"seq":[1,1],"changed":true},"id":"a1"}"#)
        other.send(#"{"op":"send","to":"part/a","event":{"set":{"left":1,"right":2}},"id":-7}"#)
        other.expect(#"{"ok":{"seq":[2,3],"changed":true},"id":-7}"#)
        view.expect(
            #"{"from":"part/a","seq":2,"more":true,"cause":{"connection":3,"id":-7},"event":"#
                + #"{"left":{"number":1}}}"#,
            #"{"from":"part/a","seq":3,"cause":{"connection":3,"id":-7},"event":{"right":"#
                + #"{"number":2}}}"#
        )
        other.send(#"{"op":"send","to":"part/a","event":{"say":{"text":"2"}}}"#)
        view.expect(#"{"from":"part/a","seq":4,"event":{"said":{"text":"2"}}}"#)
    }

    @Test func `tells its cause in whatever view model`() {
        other.send(
            #"{"op":"send","to":"bench","event":{"tell":{"parts":["b"],"text":"x"}},"id":"q\"/é"}"#)
        other.expect(#"{"ok":{"changed":true},"id":"q\"/é"}"#)
        view.expect(
            #"{"from":"part/b","seq":1,"cause":{"connection":3,"id":"q\"/é"},"event":{"said":"#
                + #"{"text":"x"}}}"#
        )
    }

    @Test func `that comes later has no cause, and follows the answer`() {
        view.send(#"{"op":"send","to":"part/a","event":{"later":{"seconds":2,"text":"x"}},"id":1}"#)
        view.expect(#"{"ok":{"changed":false},"id":1}"#)
        bus.advance(by: .seconds(2))
        view.expect(#"{"from":"part/a","seq":1,"event":{"said":{"text":"x"}}}"#)
    }

    @Test func `is not emitted for a value that has not changed`() {
        other.send(#"send part/a set {"left":0}"#, #"send part/a set {"left":5}"#)
        other.send(#"send part/a set {"left":5,"right":0}"#)
        view.expect(#"{"from":"part/a","seq":1,"event":{"left":{"number":5}}}"#)
    }

    @Test func `comes to all connections in one and the same order`() {
        let views = (0..<5).map { _ in bus.connect() }
        for view in views { view.join("part/*") }
        for text in 1...3 {
            other.send(#"send bench tell {"parts":["b","a"],"text":"\#(text)"}"#)
        }
        let lines = view.takeLines()
        #expect(lines.count == 6)
        for view in views { #expect(view.takeLines() == lines) }
    }

    @Test func `that JSON can't say is not said, and takes no number`() {
        other.send("send part/a fail", #"send part/a say {"text":"x"}"#)
        view.expect(#"{"from":"part/a","seq":1,"event":{"said":{"text":"x"}}}"#)
    }

    @Test
    func `is valid UTF-8, with slashes as they are and everything else escaped that has to be`() {
        other.send(#"send part/a say {"text":"a/b\/c \"é\u00e9😀\ud83d\ude00\" \\ \u0001\n\u007f"}"#)
        view.expect(
            "{\"from\":\"part/a\",\"seq\":1,\"event\":{\"said\":{\"text\":\"a/b/c "
                + #"\"éé😀😀\" \\ \u0001\n"# + "\u{7F}\"}}}")
    }
}

@Suite struct `Only some events` {
    let bus = TestBus.lab("a")
    let view: TestConnection
    let other: TestConnection

    init() {
        view = bus.connect()
        other = bus.connect()
    }

    private func subscribe(_ client: TestConnection, _ only: String) {
        client.send(#"{"op":"subscribe","to":"part/a","only":\#(only)}"#)
        _ = client.takeLines()
    }

    private func subscribe(_ pattern: String, _ only: String) {
        view.send(#"{"op":"subscribe","to":"\#(pattern)","only":\#(only)}"#)
        _ = view.takeLines()
    }

    @Test func `are told with their seq, the others left out`() {
        subscribe("part/a", #"["said"]"#)
        other.send(
            #"send part/a set {"left":1}"#, #"send part/a say {"text":"x"}"#,
            #"send part/a set {"left":2}"#, #"send part/a say {"text":"y"}"#)
        view.expect(
            #"{"from":"part/a","seq":2,"event":{"said":{"text":"x"}}}"#,
            #"{"from":"part/a","seq":4,"event":{"said":{"text":"y"}}}"#)
    }

    @Test func `have more corrected, and only then`() {
        let full = bus.connect()
        full.join("part/a")
        subscribe("part/a", #"["left"]"#)
        other.send(#"send part/a set {"left":1,"right":1}"#)
        view.expect(#"{"from":"part/a","seq":1,"event":{"left":{"number":1}}}"#)
        full.expect(
            #"{"from":"part/a","seq":1,"more":true,"event":{"left":{"number":1}}}"#,
            #"{"from":"part/a","seq":2,"event":{"right":{"number":1}}}"#)
        subscribe("part/a", #"["left","right"]"#)
        other.send(#"send part/a set {"left":2,"right":2}"#)
        view.expect(
            #"{"from":"part/a","seq":3,"more":true,"event":{"left":{"number":2}}}"#,
            #"{"from":"part/a","seq":4,"event":{"right":{"number":2}}}"#)
        _ = full.takeLines()
    }

    @Test func `of a snapshot have more corrected too`() {
        view.send(#"{"op":"subscribe","to":"part/a","only":["right","left"]}"#)
        view.expect(
            "{\"ok\":…",
            #"{"from":"part/a","seq":0,"snapshot":true,"more":true,"event":{"left":{"number":0}}}"#,
            #"{"from":"part/a","seq":0,"snapshot":true,"event":{"right":{"number":0}}}"#,
            #"{"live":"part/a","cursor":"…:0","done":"…"}"#)
    }

    @Test func `may be none, or of names that nobody knows`() {
        subscribe("part/a", "[]")
        subscribe("part/*", #"["nothing","left"]"#)
        other.send(#"send part/a say {"text":"x"}"#, #"send part/a set {"left":1}"#)
        view.expect(#"{"from":"part/a","seq":2,"event":{"left":{"number":1}}}"#)
        view.send("unsubscribe part/*")
        other.send(#"send part/a set {"left":2}"#)
        view.expectNothing()
    }

    @Test func `are told to each of many who come and go`() {
        let interests = ["left", "right", "said"]
        var views = (0..<12).map { (client: bus.connect(), interest: interests[$0 % 3]) }
        for view in views { subscribe(view.client, #"["\#(view.interest)"]"#) }
        var seq = 0
        while !views.isEmpty {
            other.send(
                #"send part/a set {"left":\#(seq + 1),"right":\#(seq + 1)}"#,
                #"send part/a say {"text":"x"}"#)
            for view in views {
                let number = seq + 1 + (interests.firstIndex(of: view.interest) ?? 0)
                let value = view.interest == "said" ? #""text":"x""# : #""number":\#(seq + 1)"#
                view.client.expect(
                    #"{"from":"part/a","seq":\#(number),"event":{"\#(view.interest)":{\#(value)}}}"#
                )
            }
            seq += 3
            let leaving = views.remove(at: seq % views.count).client
            leaving.send("unsubscribe part/a")
            _ = leaving.takeLines()
        }
    }

    @Test func `are the union of what matching subscriptions want`() {
        subscribe("part/a", #"["left"]"#)
        subscribe("part/*", #"["right"]"#)
        other.send(#"send part/a set {"left":1,"right":1}"#, #"send part/a say {"text":"x"}"#)
        view.expect(
            #"{"from":"part/a","seq":1,"more":true,"event":{"left":{"number":1}}}"#,
            #"{"from":"part/a","seq":2,"event":{"right":{"number":1}}}"#)
        view.join("**")
        other.send(#"send part/a say {"text":"y"}"#)
        view.expect(#"{"from":"part/a","seq":4,"event":{"said":{"text":"y"}}}"#)
        view.send("unsubscribe **", "unsubscribe part/a")
        other.send(#"send part/a set {"left":2,"right":2}"#)
        view.expect(#"{"from":"part/a","seq":6,"event":{"right":{"number":2}}}"#)
    }

    @Test func `count from where the view joined when it resumes`() {
        subscribe("part/a", #"["left"]"#)
        other.send(
            #"send part/a set {"left":1,"right":1}"#, #"send part/a say {"text":"x"}"#,
            #"send part/a set {"left":2}"#)
        _ = view.takeLines()
        view.send(#"{"op":"subscribe","to":"part/a","only":["left","said"],"since":"1z141z7:0"}"#)
        view.expect(
            #"{"ok":{"to":"part/a","matched":["part/a"],"resumed":true}}"#,
            #"{"from":"part/a","seq":1,"event":{"left":{"number":1}}}"#,
            #"{"from":"part/a","seq":3,"event":{"said":{"text":"x"}}}"#,
            #"{"from":"part/a","seq":4,"event":{"left":{"number":2}}}"#,
            #"{"live":"part/a","cursor":"1z141z7:4","done":"1z141z7:…"}"#)
    }
}
