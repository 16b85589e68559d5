import BusdBroker
import BusdHosting
import BusdProtocol
@testable import BusdTestKit
import Testing

/// What changes nothing durable, and is about what waits for the disk, waits for that and for
/// nothing that comes later.
@Suite struct `What changes nothing on disk` {
    private let disk = TallyDisk()
    private let bus: TestBus
    private let (ann, bo, reader): (TestConnection, TestConnection, TestConnection)

    /// A tally with parts that have a clock.
    init() {
        disk.hasClocks = true
        bus = .tally(on: disk) { $0.register(EchoForTests.self) }
        (ann, bo, reader) = (bus.connect(), bus.connect(), bus.connect())
        for part in ["a", "b", "c", "d"] { ann.send(#"send tally open {"_0":"\#(part)"}"#) }
        for _ in 0..<4 { succeed() }
    }

    private func succeed() {
        disk.succeed()
        bus.committed()
    }

    private func fail() { bus.committed(successfully: false) }

    private func send(_ event: String, to address: String, id: Int) -> String {
        #"{"op":"send","to":"\#(address)","event":\#(event),"id":\#(id)}"#
    }

    /// A commit of its own, as long as there are fewer than five.
    private func add(to part: String, id: Int) -> String {
        send(#"{"add":{"_0":1}}"#, to: "tally/\(part)", id: id)
    }

    /// The clocks of these parts tell the time at once.
    private func tick(_ time: Int, _ parts: String...) {
        for address in parts.compactMap({ Address("tally/\($0)") }) { disk.clocks[address]?(time) }
        bus.settle()
    }

    private func watch(_ part: String) -> TestConnection {
        let view = bus.connect()
        view.send("subscribe tally/\(part)")
        _ = view.takeLines()
        return view
    }

    private func expect(
        _ view: TestConnection, _ said: String...,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let events = view.takeLines().compactMap { $0.split(separator: #""event":"#).last }
        #expect(events.map { String($0.dropLast()) } == said, sourceLocation: sourceLocation)
    }

    private func count(_ count: Int) -> String { #"{"count":{"_0":\#(count)}}"# }
    private func time(_ time: Int) -> String { #"{"time":{"_0":\#(time)}}"# }

    private func expectShown(
        _ part: String, _ count: Int, _ time: Int,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        reader.send("get tally/\(part)")
        reader.expect(
            #"…"events":[\#(self.count(count)),\#(self.time(time))]}}"#,
            sourceLocation: sourceLocation)
    }

    private func expectAnswers(
        _ connection: TestConnection, _ ids: Int..., isDone: Bool = true,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let lines = connection.takeLines()
        #expect(
            lines.map { $0.contains(isDone ? #"{"ok""# : "unavailable") && $0.contains(#""id""#) }
                == ids.map { _ in true }, sourceLocation: sourceLocation)
        for (line, id) in zip(lines, ids) {
            #expect(line.hasSuffix(#""id":\#(id)}"#), sourceLocation: sourceLocation)
        }
    }

    @Test func `goes on as soon as what it is about is on disk, whatever else is under way`() {
        let view = watch("a")
        ann.send(add(to: "a", id: 1))
        for (id, part) in ["b", "c", "d"].enumerated() { bo.send(add(to: part, id: id)) }
        #expect(disk.commits == 8)
        tick(5, "a")
        tick(6, "a")
        view.expectNothing()
        succeed()
        expect(view, count(1), time(5), time(6))
        expectAnswers(ann, 1)
        tick(7, "a")
        expect(view, time(7))
        fail()
        expectAnswers(bo, 0, 1, 2, isDone: false)
        view.expectNothing()
        expectShown("a", 1, 7)
        tick(8, "a")
        expect(view, time(8))
    }

    @Test func `waits for the next commit where what it is about does`() {
        let view = watch("a")
        for (id, part) in ["a", "b", "c", "d", "a"].enumerated() { ann.send(add(to: part, id: id)) }
        tick(5, "a")
        for _ in 0..<4 { succeed() }
        expect(view, count(1))
        expectAnswers(ann, 0, 1, 2, 3)
        #expect(disk.commits == 9)
        tick(6, "a")
        succeed()
        expect(view, count(2), time(5), time(6))
        expectAnswers(ann, 4)
    }

    @Test func `is told to who joins between two commits, and is there when the second fails`() {
        ann.send(add(to: "a", id: 1))
        tick(5, "a")
        tick(6, "a")
        ann.send(add(to: "a", id: 2))
        tick(7, "a")
        expectShown("a", 0, 0)
        succeed()
        expectAnswers(ann, 1)
        expectShown("a", 1, 6)
        let view = watch("a")
        fail()
        expectAnswers(ann, 2, isDone: false)
        view.expectNothing()
        expectShown("a", 1, 6)
        ann.send(add(to: "a", id: 3))
        succeed()
        expect(view, count(2))
        expectAnswers(ann, 3)
    }

    @Test func `waits for the later one of two that it is about, and keeps the order of both`() {
        let views = [watch("a"), watch("b")]
        ann.send(add(to: "a", id: 1))
        ann.send(add(to: "b", id: 2))
        tick(5, "a", "b")
        tick(6, "a")
        bo.send(add(to: "c", id: 3))
        succeed()
        expect(views[0], count(1))
        expectShown("a", 1, 0)
        tick(7, "a")
        views[0].expectNothing()
        succeed()
        expect(views[0], time(5), time(6), time(7))
        expect(views[1], count(1), time(5))
        fail()
        expectAnswers(ann, 1, 2)
        expectAnswers(bo, 3, isDone: false)
        expectShown("a", 1, 7)
        expectShown("b", 1, 5)
    }

    @Test func `is taken back with all that it is about, and with what it is said with`() {
        let views = [watch("a"), watch("b")]
        ann.send(add(to: "a", id: 1))
        tick(5, "a", "b")
        fail()
        expectAnswers(ann, 1, isDone: false)
        for view in views { view.expectNothing() }
        expectShown("a", 0, 0)
        expectShown("b", 0, 0)
    }

    @Test func `is answered with what may be the reason, and not later`() {
        ann.send(add(to: "a", id: 1))
        ann.send(add(to: "b", id: 2))
        bo.send(send(#"{"close":{"_0":"z"}}"#, to: "tally", id: 10))
        reader.send(add(to: "c", id: 3))
        succeed()
        bo.expectNothing()
        succeed()
        expectAnswers(bo, 10)
        expectAnswers(ann, 1, 2)
        fail()
        expectAnswers(reader, 3, isDone: false)
    }

    @Test func `is answered with the next commit where what may be the reason waits for that`() {
        for (id, part) in ["a", "b", "c", "d", "a"].enumerated() { ann.send(add(to: part, id: id)) }
        bo.send(send(#"{"close":{"_0":"z"}}"#, to: "tally", id: 10))
        for _ in 0..<4 { succeed() }
        bo.expectNothing()
        succeed()
        expectAnswers(bo, 10)
        expectAnswers(ann, 0, 1, 2, 3, 4)
    }

    @Test func `has its key on disk before it is answered, whatever lands before`() {
        ann.send(add(to: "a", id: 1))
        bo.send(
            #"{"op":"send","to":"tally","event":{"close":{"_0":"z"}},"key":"k","id":10}"#)
        #expect(disk.commits == 6)
        succeed()
        expectAnswers(ann, 1)
        bo.expectNothing()
        succeed()
        expectAnswers(bo, 10)
    }

    @Test func `is answered behind what its connection waits for, and not later`() {
        ann.send(add(to: "a", id: 1))
        bo.send(add(to: "b", id: 10))
        bo.send(
            send(#"{"say":{"text":"hi"}}"#, to: "echo/x", id: 11),
            send(#"{"wrong":{}}"#, to: "echo/x", id: 12))
        ann.send(add(to: "c", id: 2))
        succeed()
        expectAnswers(ann, 1)
        bo.expectNothing()
        succeed()
        bo.expect(
            #"{"ok":{"seq":[1,1],"changed":true},"id":10}"#,
            #"{"ok":{"seq":[1,1],"changed":true},"id":11}"#,
            #"{"error":{"code":"unknownEvent",…"id":12}"#)
        fail()
        expectAnswers(ann, 2, isDone: false)
    }
}
