import BusdProtocol
import BusdTestKit
import Testing

/// The lines of a slow view while its subscriptions or view models change.
@Suite struct `A slow view` {
    let bus = TestBus.lab("a", "b")
    let view: TestConnection
    let other: TestConnection

    init() {
        view = bus.connect()
        other = bus.connect()
    }

    /// Makes the view miss an event of a part.
    func miss(_ part: String) {
        view.stall()
        other.tell(part, times: 1)
        bus.advance(by: .seconds(2))
    }

    @Test func `The answers of a slow view are not dropped, and follow the gap of earlier events`()
    {
        view.join("part/a")
        view.stall()
        view.send(
            #"{"op":"ping","id":1}"#,
            #"{"op":"send","to":"part/a","event":{"say":{"text":"own"}},"id":2}"#,
            #"{"op":"ping","id":3}"#)
        bus.advance(by: .seconds(2))
        view.send(#"{"op":"send","to":"part/a","event":{"set":{"left":1}},"id":4}"#)
        view.readOn()
        view.expect(
            #"{"ok":{},"id":1}"#, #"{"gap":"part/a","missed":2}"#, "…", "…", "…",
            #"{"live":"part/a","cursor":"…:2","done":"…"}"#,
            #"{"ok":{"seq":[1,1],"changed":true},"id":2}"#,
            #"{"ok":{},"id":3}"#, #"{"ok":{"seq":[2,2],"changed":true},"id":4}"#)
    }

    @Test func `A slow view gets the gap and then the gone of a view model that has ended`() {
        view.join("part/a")
        miss("a")
        other.tell("a", times: 1)
        other.send(#"send bench remove {"part":"a"}"#)
        view.readOn()
        view.expect(#"{"gap":"part/a","missed":2}"#, #"{"gone":"part/a"}"#)
    }

    @Test func `A gap precedes the gone also if events are dropped after the end`() {
        view.join("part/a")
        view.stall()
        other.tell("a", times: 3)
        // The next view model reuses the slot of the one that ended.
        other.send(#"send bench remove {"part":"a"}"#, #"send bench add {"part":"c"}"#)
        bus.advance(by: .seconds(2))
        view.readOn()
        view.expect(#"{"gap":"part/a","missed":3}"#, #"{"gone":"part/a"}"#)
    }

    @Test func `A slow view that unsubscribes gets the gap of earlier events`() {
        view.join("part/a")
        miss("a")
        view.send(#"{"op":"unsubscribe","to":"part/a","id":1}"#)
        other.tell("a", times: 1)
        view.readOn()
        view.expect(#"{"gap":"part/a","missed":1}"#, #"{"ok":{},"id":1}"#)
    }

    @Test func `A slow view gets the same gap if events are dropped after it unsubscribes`() {
        view.join("part/a")
        view.stall()
        other.tell("a", times: 2)
        view.send(#"{"op":"unsubscribe","to":"part/a","id":1}"#)
        bus.advance(by: .seconds(2))
        view.readOn()
        view.expect(#"{"gap":"part/a","missed":2}"#, #"{"ok":{},"id":1}"#)
    }

    @Test func `A slow view that subscribes again gets the gap, the answer and the snapshot`() {
        view.join("part/a")
        miss("a")
        view.send(#"{"op":"subscribe","to":"part/a","only":["left"]}"#)
        other.send(#"send part/a set {"left":1}"#)
        view.readOn()
        view.expect(
            #"{"gap":"part/a","missed":1}"#,
            #"{"ok":{"to":"part/a","matched":["part/a"],"resumed":false}}"#,
            #"{"from":"part/a","seq":1,"snapshot":true,"event":{"left":{"number":0}}}"#,
            #"{"live":"part/a","cursor":"…:1","done":"…"}"#,
            #"{"from":"part/a","seq":2,"event":{"left":{"number":1}}}"#)
    }

    @Test func `A slow view that resumes gets the gap, and then the missed events`() {
        view.join("part/a")
        miss("a")
        view.send(#"{"op":"subscribe","to":"part/a","since":"1z141z7:0"}"#)
        other.tell("a", times: 1)
        view.readOn()
        view.expect(
            #"{"gap":"part/a","missed":1}"#,
            #"{"ok":{"to":"part/a","matched":["part/a"],"resumed":true}}"#,
            #"{"from":"part/a","seq":1,"event":{"said":{"text":"xx"}}}"#,
            #"{"live":"part/a","cursor":"…:1","done":"…"}"#,
            #"{"from":"part/a","seq":2,"event":{"said":{"text":"xx"}}}"#)
    }

    @Test func `A slow view never gets an older snapshot after a newer one`() {
        view.send(#"{"op":"subscribe","to":"part/a","only":["left"]}"#)
        _ = view.takeLines()
        view.stall()
        other.send(#"send part/a set {"left":1}"#)
        view.send(#"{"op":"subscribe","to":"part/a","only":["left"],"id":1}"#)
        other.send(#"send part/a set {"left":2}"#)
        bus.advance(by: .seconds(2))
        other.send(#"send part/a set {"left":3}"#)
        view.readOn()
        view.expect(
            #"{"gap":"part/a","missed":1}"#,
            #"{"ok":{"to":"part/a","matched":["part/a"],"resumed":false},"id":1}"#,
            #"{"from":"part/a","seq":1,"snapshot":true,"event":{"left":{"number":1}}}"#,
            #"{"live":"part/a","cursor":"…:1","done":"…"}"#, #"{"gap":"part/a","missed":2}"#,
            #"{"from":"part/a","seq":3,"snapshot":true,"event":{"left":{"number":3}}}"#,
            #"{"live":"part/a","cursor":"…:3","done":"…"}"#)
    }

    @Test func `A gap ends at the next snapshot, whatever happens after it`() {
        view.send(#"{"op":"subscribe","to":"part/a","only":["left"]}"#)
        _ = view.takeLines()
        view.stall()
        other.send(#"send part/a set {"left":1,"right":1}"#)
        view.send(#"{"op":"subscribe","to":"part/a","only":["left"],"id":1}"#)
        other.send(#"send bench remove {"part":"a"}"#)
        bus.advance(by: .seconds(2))
        view.readOn()
        view.expect(
            #"{"gap":"part/a","missed":2}"#,
            #"{"ok":{"to":"part/a","matched":["part/a"],"resumed":false},"id":1}"#,
            #"{"from":"part/a","seq":2,"snapshot":true,"event":{"left":{"number":1}}}"#,
            #"{"live":"part/a","cursor":"…:2","done":"…"}"#, #"{"gone":"part/a"}"#)
    }

    @Test func `A slow view gets one gap of a view model that it left, despite other joins`() {
        view.join("part/a")
        view.stall()
        other.tell("a", times: 1)
        view.send(#"{"op":"subscribe","to":"part/b","only":[],"id":1}"#)
        other.tell("a", times: 1)
        view.send(#"{"op":"unsubscribe","to":"part/a","id":2}"#)
        bus.advance(by: .seconds(2))
        view.readOn()
        view.expect(
            #"{"gap":"part/a","missed":2}"#,
            #"{"ok":{"to":"part/b","matched":["part/b"],"resumed":false},"id":1}"#,
            #"{"live":"part/b","cursor":"…:0","done":"…"}"#, #"{"ok":{},"id":2}"#)
    }

    @Test func `A slow view gets the gone before the snapshot of the successor`() {
        view.join("part/*")
        miss("b")
        other.send(#"send bench remove {"part":"a"}"#, #"send bench add {"part":"a"}"#)
        bus.advance(by: .seconds(2))
        view.readOn()
        view.expect(
            #"{"gap":"part/b","missed":1}"#, "…", "…", "…",
            #"{"live":"part/b","cursor":"…:1","done":"…"}"#,
            #"{"gone":"part/a"}"#, "…", "…", "…", #"{"live":"part/a","cursor":"…:0","done":"…"}"#)
    }

    @Test func `A join shows the view models that are behind, and arrivals follow the join`() {
        view.join("part/a")
        miss("a")
        view.send(#"{"op":"subscribe","to":"part/*","only":["left"],"id":1}"#)
        other.send(#"send bench add {"part":"c"}"#)
        bus.advance(by: .seconds(2))
        view.readOn()
        view.expect(
            #"{"gap":"part/a","missed":1}"#,
            #"{"ok":{"to":"part/*","matched":["part/a","part/b"],"resumed":false},"id":1}"#,
            "…", "…", "…", #"{"live":"part/a","cursor":"…:1","done":"…"}"#,
            #"{"from":"part/b","seq":0,"snapshot":true,"event":{"left":{"number":0}}}"#,
            #"{"live":"part/b","cursor":"…:0","done":"…"}"#, #"{"live":"part/*"}"#,
            #"{"from":"part/c","seq":0,"snapshot":true,"event":{"left":{"number":0}}}"#,
            #"{"live":"part/c","cursor":"…:0","done":"…"}"#)
    }

    @Test func `A slow view that joins a pattern gets its gap in two parts, and one snapshot`() {
        view.join("part/*")
        miss("a")
        view.send(#"{"op":"subscribe","to":"part/**","id":1}"#)
        other.tell("a", times: 3)
        bus.advance(by: .seconds(2))
        view.readOn()
        view.expect(
            #"{"gap":"part/a","missed":1}"#,
            #"{"ok":{"to":"part/**","matched":["part/a","part/b"],"resumed":false},"id":1}"#,
            #"{"gap":"part/a","missed":3}"#, "…", "…", "…",
            #"{"live":"part/a","cursor":"…:4","done":"…"}"#, "…", "…", "…",
            #"{"live":"part/b","cursor":"…:0","done":"…"}"#, #"{"live":"part/**"}"#)
        other.tell("a", times: 1)
        view.expect(#"{"from":"part/a","seq":5,"event":{"said":{"text":"xx"}}}"#)
    }

    @Test func `A slow view that joins another view model gets its lines in order`() {
        view.send(#"{"op":"subscribe","to":"part/a","only":["left"]}"#)
        _ = view.takeLines()
        miss("a")
        other.send(#"send part/a set {"left":1}"#)
        bus.advance(by: .seconds(2))
        view.send(#"{"op":"subscribe","to":"part/b","only":["left"],"id":1}"#)
        other.send(#"send part/b set {"left":2}"#)
        bus.advance(by: .seconds(2))
        view.readOn()
        view.expect(
            #"{"gap":"part/a","missed":2}"#,
            #"{"from":"part/a","seq":2,"snapshot":true,"event":{"left":{"number":1}}}"#,
            #"{"live":"part/a","cursor":"…:2","done":"…"}"#,
            #"{"ok":{"to":"part/b","matched":["part/b"],"resumed":false},"id":1}"#,
            #"{"from":"part/b","seq":0,"snapshot":true,"event":{"left":{"number":0}}}"#,
            #"{"live":"part/b","cursor":"…:0","done":"…"}"#, #"{"gap":"part/b","missed":1}"#,
            #"{"from":"part/b","seq":1,"snapshot":true,"event":{"left":{"number":2}}}"#,
            #"{"live":"part/b","cursor":"…:1","done":"…"}"#)
    }

    @Test func `An event emitted in the turn that drops older ones is not sent twice`() {
        view.join("part/a")
        view.stall()
        other.send(#"send part/a later {"seconds":1,"text":"late"}"#)
        other.tell("a", times: 1)
        // Within this turn the timer fires first, then the events are dropped.
        bus.advance(by: .seconds(3))
        view.readOn()
        view.expect(
            #"{"gap":"part/a","missed":2}"#, "…", "…", "…",
            #"{"live":"part/a","cursor":"…:2","done":"…"}"#)
    }

    @Test func `A slow view gets an arrival as it is when the view reads on`() {
        view.send(#"{"op":"subscribe","to":"part/*","only":["left"]}"#)
        _ = view.takeLines()
        view.stall()
        other.send(#"send bench add {"part":"c"}"#, #"send part/c set {"left":1}"#)
        bus.advance(by: .seconds(2))
        other.send(#"send part/c set {"left":2}"#)
        view.readOn()
        view.expect(
            #"{"from":"part/c","seq":2,"snapshot":true,"event":{"left":{"number":2}}}"#,
            #"{"live":"part/c","cursor":"…:2","done":"…"}"#)
    }

    @Test func `A slow view does not get arrivals that end before it reads on`() {
        view.join("part/*")
        view.stall()
        other.send(#"send bench add {"part":"c"}"#, #"send bench add {"part":"d"}"#)
        other.tell("c", times: 1)
        other.send(#"send bench remove {"part":"c"}"#)
        bus.advance(by: .seconds(2))
        other.send(#"send bench remove {"part":"d"}"#, #"send bench add {"part":"e"}"#)
        bus.advance(by: .seconds(2))
        other.send(#"send bench remove {"part":"e"}"#)
        view.send(#"{"op":"ping","id":1}"#)
        view.readOn()
        view.expect(#"{"ok":{},"id":1}"#)
    }

    @Test func `Many arrivals that end while a view is slow leave no lines`() {
        view.join("part/*")
        view.stall()
        for _ in 0..<50 {
            other.send(#"send bench add {"part":"c"}"#)
            bus.advance(by: .seconds(2))
            other.send(#"send bench remove {"part":"c"}"#)
        }
        view.readOn()
        view.expectNothing()
    }

    @Test func `A half-closed slow view gets the gone of its last view model, and is closed`() {
        view.join("part/a")
        view.endInput()
        miss("a")
        other.send(#"send bench remove {"part":"a"}"#)
        #expect(!view.isClosed)
        view.readOn()
        view.expect(#"{"gap":"part/a","missed":1}"#, #"{"gone":"part/a"}"#)
        #expect(view.isClosed)
    }

    @Test func `A slow view gets its gaps before the goodbye`() {
        view.join("part/a")
        miss("a")
        bus.stop()
        other.expect(#"{"bye":{"code":"closing","message":"the daemon is stopping"}}"#)
        #expect(other.isClosed)
        view.readOn()
        view.expect(
            #"{"gap":"part/a","missed":1}"#,
            #"{"bye":{"code":"closing","message":"the daemon is stopping"}}"#)
        #expect(view.isClosed)
    }
}
