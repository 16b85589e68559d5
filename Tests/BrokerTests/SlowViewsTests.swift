import BusdProtocol
import BusdTestKit
import Testing

extension Limits {
    /// Limits with so few bytes of waiting events that tests stay short.
    static func output(_ bytes: Int) -> Limits {
        var limits = Limits()
        limits.output = bytes
        return limits
    }
}

extension TestConnection {
    /// Makes a part emit `times` texts of so many letters, each in an update of its own.
    func tell(_ part: String, times: Int, letters: Int = 2) {
        let text = String(repeating: "x", count: letters)
        for _ in 0..<times { send(#"send part/\#(part) say {"text":"\#(text)"}"#) }
    }
}

@Suite struct `A view that reads slowly` {
    /// Bytes of the line of an event with a one-digit `seq` and two letters, with LF.
    let line = #"{"from":"part/a","seq":1,"event":{"said":{"text":"xx"}}}"#.utf8.count + 1

    @Test func `A slow view gets everything while no more than the limit waits`() {
        let bus = TestBus.lab("a", limits: .output(3 * line))
        let (view, other) = (bus.connect(), bus.connect())
        view.join("part/a")
        view.stall()
        other.tell("a", times: 3)
        view.readOn()
        view.expect(
            #"{"from":"part/a","seq":1,"event":{"said":{"text":"xx"}}}"#,
            #"{"from":"part/a","seq":2,"event":{"said":{"text":"xx"}}}"#,
            #"{"from":"part/a","seq":3,"event":{"said":{"text":"xx"}}}"#)
    }

    @Test func `A slow view gets a gap, the snapshot and live if more than the limit waits`() {
        let bus = TestBus.lab("a", limits: .output(3 * line))
        let (view, other) = (bus.connect(), bus.connect())
        view.join("part/a")
        view.stall()
        other.tell("a", times: 2)
        other.tell("a", times: 1, letters: 3)
        other.send(#"send part/a set {"left":7}"#)
        view.readOn()
        view.expect(
            #"{"gap":"part/a","missed":4}"#,
            #"{"from":"part/a","seq":4,"snapshot":true,"more":true,"event":{"left":{"number":7}}}"#,
            #"{"from":"part/a","seq":4,"snapshot":true,"more":true,"event":{"right":"#
                + #"{"number":0}}}"#,
            #"{"from":"part/a","seq":4,"snapshot":true,"event":{"items":{"list":[]}}}"#,
            #"{"live":"part/a","cursor":"1z141z7:4","done":"1z141z7:…"}"#)
        other.tell("a", times: 1)
        view.expect(#"{"from":"part/a","seq":5,"event":{"said":{"text":"xx"}}}"#)
    }

    /// Makes a part emit 200 texts of 1,200 letters, and one more text, so that all lines together
    /// have `bytes` bytes.
    private func fill(_ bytes: Int, _ other: TestConnection) {
        let lines = (1...200).map { seq in
            let more = seq == 200 ? "" : #""more":true,"#
            return #"{"from":"part/a","seq":\#(seq),\#(more)"event":{"said":{"text":""}}}"#
        }
        let last = #"{"from":"part/a","seq":201,"event":{"said":{"text":""}}}"#
        let rest = bytes - 200 * 1_200 - lines.map { $0.utf8.count + 1 }.reduce(0, +)
        other.send(#"send part/a burst {"count":200,"size":1200}"#)
        other.tell("a", times: 1, letters: rest - last.utf8.count - 1)
    }

    @Test func `A slow view may hold 262144 bytes`() {
        #expect(Limits().output == 262_144)
        let bus = TestBus.lab("a")
        let (view, other) = (bus.connect(), bus.connect())
        view.join("part/a")
        view.stall()
        fill(262_144, other)
        view.readOn()
        #expect(view.takeLines().count == 201)
    }

    @Test func `A slow view that would hold more than 262144 bytes gets a gap`() {
        let bus = TestBus.lab("a")
        let (view, other) = (bus.connect(), bus.connect())
        view.join("part/a")
        view.stall()
        fill(262_145, other)
        view.readOn()
        view.expect(
            #"{"gap":"part/a","missed":201}"#, "…", "…", "…",
            #"{"live":"part/a","cursor":"…:201","done":"…"}"#
        )
    }

    @Test func `A slow view gets events that have waited for less than two seconds`() {
        let bus = TestBus.lab("a")
        let (view, other) = (bus.connect(), bus.connect())
        view.join("part/a")
        view.stall()
        other.tell("a", times: 1)
        bus.advance(by: .microseconds(1_999_999))
        view.readOn()
        view.expect(#"{"from":"part/a","seq":1,"event":{"said":{"text":"xx"}}}"#)
    }

    @Test func `A slow view gets a gap if its oldest event has waited for two seconds`() {
        let bus = TestBus.lab("a")
        let (view, other) = (bus.connect(), bus.connect())
        view.join("part/a")
        view.stall()
        other.tell("a", times: 1)
        bus.advance(by: .seconds(1))
        other.tell("a", times: 1)
        bus.advance(by: .seconds(1))
        view.readOn()
        view.expect(
            #"{"gap":"part/a","missed":2}"#, "…", "…", "…",
            #"{"live":"part/a","cursor":"…:2","done":"…"}"#)
    }

    @Test func `The two seconds count from the emission, also if time moves within a turn`() {
        let bus = TestBus.lab("a")
        let (view, other) = (bus.connect(), bus.connect())
        view.join("part/a")
        view.stall()
        other.send(#"send part/a later {"seconds":1,"text":"one"}"#)
        bus.advance(by: .microseconds(2_999_999))
        view.readOn()
        view.expect(#"{"from":"part/a","seq":1,"event":{"said":{"text":"one"}}}"#)
        view.stall()
        other.send(#"send part/a later {"seconds":1,"text":"two"}"#)
        bus.advance(by: .seconds(3))
        view.readOn()
        view.expect(
            #"{"gap":"part/a","missed":1}"#, "…", "…", "…",
            #"{"live":"part/a","cursor":"…:2","done":"…"}"#)
    }

    @Test func `A slow view gets its gap as soon as the socket takes bytes`() {
        let bus = TestBus.lab("a")
        let (view, other) = (bus.connect(), bus.connect())
        view.join("part/a")
        view.stall()
        other.tell("a", times: 1)
        bus.advance(by: .seconds(3))
        view.expectNothing()
        view.makeRoom(28)
        view.expect(#"{"gap":"part/a","missed":1}"#)
    }

    @Test func `A slow view does not delay another`() {
        let bus = TestBus.lab("a", limits: .output(100))
        let (slow, fast) = (bus.connect(), bus.connect())
        slow.join("part/a")
        fast.join("part/a")
        slow.stall()
        bus.connect().tell("a", times: 5)
        #expect(fast.takeLines().count == 5)
        slow.readOn()
        slow.expect(
            #"{"gap":"part/a","missed":5}"#, "…", "…", "…",
            #"{"live":"part/a","cursor":"…:5","done":"…"}"#)
        fast.expectNothing()
    }

    @Test func `A slow view gets the rest of a partly written line before the gap`() {
        let bus = TestBus.lab("a", limits: .output(2 * line))
        let (view, other) = (bus.connect(), bus.connect())
        view.join("part/a")
        view.stall(after: line + 10)
        other.tell("a", times: 5)
        view.expect(#"{"from":"part/a","seq":1,"event":{"said":{"text":"xx"}}}"#)
        view.readOn()
        view.expect(
            #"{"from":"part/a","seq":2,"event":{"said":{"text":"xx"}}}"#,
            #"{"gap":"part/a","missed":3}"#, "…", "…", "…",
            #"{"live":"part/a","cursor":"…:5","done":"…"}"#)
    }

    @Test func `A gap ends an unfinished update`() {
        let bus = TestBus.lab("a", limits: .output(2 * line))
        let (view, other) = (bus.connect(), bus.connect())
        view.join("part/a")
        view.stall(after: 20)
        other.send(#"send part/a burst {"count":5,"size":2}"#)
        view.readOn()
        view.expect(
            #"{"from":"part/a","seq":1,"more":true,"event":{"said":{"text":"xx"}}}"#,
            #"{"gap":"part/a","missed":4}"#, "…", "…", "…",
            #"{"live":"part/a","cursor":"…:5","done":"…"}"#)
    }

    @Test func `A gap also counts events that the filter excludes`() {
        let bus = TestBus.lab("a")
        let (view, other) = (bus.connect(), bus.connect())
        view.send(#"{"op":"subscribe","to":"part/a","only":["left"]}"#)
        other.send(#"send part/a set {"left":1}"#)
        _ = view.takeLines()
        view.stall()
        other.tell("a", times: 3)
        other.send(#"send part/a set {"left":2}"#)
        other.tell("a", times: 2)
        bus.advance(by: .seconds(2))
        other.tell("a", times: 1)
        view.readOn()
        view.expect(
            #"{"gap":"part/a","missed":7}"#,
            #"{"from":"part/a","seq":8,"snapshot":true,"event":{"left":{"number":2}}}"#,
            #"{"live":"part/a","cursor":"…:8","done":"…"}"#)
    }

    @Test func `A slow view gets a gap for each view model that has emitted`() {
        let bus = TestBus.lab("a", "b", "c")
        let (view, other) = (bus.connect(), bus.connect())
        view.send(#"{"op":"subscribe","to":"part/*","only":["said"]}"#)
        _ = view.takeLines()
        view.stall()
        other.send(#"send bench tell {"parts":["c","a","c"],"text":"hi"}"#)
        bus.advance(by: .seconds(2))
        other.tell("b", times: 1)
        view.readOn()
        view.expect(
            #"{"gap":"part/c","missed":2}"#, #"{"live":"part/c","cursor":"…:2","done":"…"}"#,
            #"{"gap":"part/a","missed":1}"#, #"{"live":"part/a","cursor":"…:1","done":"…"}"#,
            #"{"from":"part/b","seq":1,"event":{"said":{"text":"xx"}}}"#)
    }

    @Test func `After a drop, events of a view model wait for its gap, and other events do not`() {
        let bus = TestBus.lab("a", "b")
        let (view, other) = (bus.connect(), bus.connect())
        view.send(#"{"op":"subscribe","to":"part/*","only":["said"]}"#)
        _ = view.takeLines()
        view.stall()
        other.tell("a", times: 1)
        bus.advance(by: .seconds(2))
        other.send(#"send bench tell {"parts":["a","b"],"text":"hi"}"#)
        view.readOn()
        view.expect(
            #"{"gap":"part/a","missed":2}"#, #"{"live":"part/a","cursor":"…:2","done":"…"}"#,
            #"{"from":"part/b","seq":1,"event":{"said":{"text":"hi"}}}"#)
    }

    @Test func `A second gap follows the whole snapshot of the first`() {
        let bus = TestBus.lab("a")
        let (view, other) = (bus.connect(), bus.connect())
        view.join("part/a")
        view.stall()
        other.tell("a", times: 1)
        bus.advance(by: .seconds(2))
        view.makeRoom(60)
        view.expect(#"{"gap":"part/a","missed":1}"#)
        other.tell("a", times: 2)
        bus.advance(by: .seconds(2))
        other.send(#"send part/a set {"right":5}"#)
        view.makeRoom(40)
        view.expectNothing()
        view.readOn()
        view.expect(
            #"{"from":"part/a","seq":1,"snapshot":true,"more":true,"event":{"left":{"number":0}}}"#,
            #"{"from":"part/a","seq":1,"snapshot":true,"more":true,"event":{"right":"#
                + #"{"number":0}}}"#,
            #"{"from":"part/a","seq":1,"snapshot":true,"event":{"items":{"list":[]}}}"#,
            #"{"live":"part/a","cursor":"…:1","done":"…"}"#, #"{"gap":"part/a","missed":3}"#,
            #"{"from":"part/a","seq":4,"snapshot":true,"more":true,"event":{"left":{"number":0}}}"#,
            #"{"from":"part/a","seq":4,"snapshot":true,"more":true,"event":{"right":"#
                + #"{"number":5}}}"#,
            #"{"from":"part/a","seq":4,"snapshot":true,"event":{"items":{"list":[]}}}"#,
            #"{"live":"part/a","cursor":"…:4","done":"…"}"#)
    }

    @Test func `A snapshot of any size is sent, and does not count towards the limit`() {
        let bus = TestBus.lab("a", limits: .output(100))
        let (view, other) = (bus.connect(), bus.connect())
        let item = String(repeating: "x", count: 300)
        other.send(#"send part/a append {"item":"\#(item)"}"#)
        view.stall()
        view.send("subscribe part/a")
        bus.advance(by: .seconds(10))
        view.readOn()
        view.expect(
            "{\"ok\":…", "…", "…",
            #"{"from":"part/a","seq":1,"snapshot":true,"event":{"items":{"list":["\#(item)"]}}}"#,
            #"{"live":"part/a","cursor":"…:1","done":"…"}"#)
    }
}
