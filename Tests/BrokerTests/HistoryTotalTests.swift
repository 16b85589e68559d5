import BusdBroker
import BusdHosting
import BusdProtocol
import Testing

@testable import BusdTestKit

@Suite struct `The total of all histories` {
    private static let limit = 200_000
    private let bus: TestBus
    private let client: TestConnection

    init() {
        var limits = Limits()
        limits.historyTotal = Self.limit
        bus = TestBus.lab("a", "b", limits: limits)
        client = bus.connect()
    }

    private func say(_ part: String, bytes: Int, times: Int = 1) {
        let text = String(repeating: "x", count: bytes)
        for _ in 0..<times { client.send(#"send part/\#(part) say {"text":"\#(text)"}"#) }
    }

    /// Whether a view that has all events up to `seq` can resume.
    private func resumes(_ part: String, after seq: Int) -> Bool {
        let mark = part == "a" ? "1z141z7" : "1z141z8"
        let view = bus.connect()
        view.send(#"{"op":"subscribe","to":"part/\#(part)","since":"\#(mark):\#(seq)"}"#)
        defer { view.disconnect() }
        return view.takeLines().first?.contains(#""resumed":true"#) ?? false
    }

    @Test func `Histories within the limit are kept`() {
        say("a", bytes: 1_000, times: 60)
        say("b", bytes: 100, times: 60)
        #expect(resumes("a", after: 0))
        #expect(resumes("b", after: 0))
    }

    @Test func `Histories over the limit lose older events of the longest history`() {
        say("b", bytes: 100, times: 60)
        say("a", bytes: 1_000, times: 400)
        #expect(bus.bus.held.history <= Self.limit)
        #expect(resumes("b", after: 0))
        #expect(!resumes("a", after: 0))
        #expect(resumes("a", after: 350))
        // The kept events are unchanged.
        let view = bus.connect()
        view.send(
            #"{"op":"subscribe","to":"part/a","since":"1z141z7:399"}"#, "unsubscribe part/a")
        let text = String(repeating: "x", count: 1_000)
        view.expect(
            #"{"ok":{"to":"part/a","matched":["part/a"],"resumed":true}}"#,
            #"{"from":"part/a","seq":400,"event":{"said":{"text":"\#(text)"}}}"#,
            #"{"live":"part/a","cursor":"1z141z7:400","done":"1z141z7:…"}"#)
    }

    @Test func `An event that is longer than the limit is not kept`() {
        var limits = Limits()
        limits.historyTotal = 500
        let bus = TestBus.lab("a", limits: limits)
        let text = String(repeating: "x", count: 1_000)
        bus.connect().send(#"send part/a say {"text":"\#(text)"}"#)
        let view = bus.connect()
        view.send(#"{"op":"subscribe","to":"part/a","since":"1z141z7:0"}"#)
        #expect(view.takeLines().first?.contains(#""resumed":false"#) == true)
        view.send(#"{"op":"subscribe","to":"part/a","since":"1z141z7:1"}"#)
        #expect(view.takeLines().first?.contains(#""resumed":true"#) == true)
    }

    @Test func `The history of a view model that has ended is not counted`() {
        let before = bus.bus.held.history
        client.send(#"send bench add {"part":"c"}"#)
        say("c", bytes: 1_000, times: 10)
        #expect(bus.bus.held.history > before + 10_000)
        client.send("send part/c end")
        #expect(bus.bus.held.history < before + 1_000)
    }

    @Test func `A history keeps 1,024 long events if the limit allows it`() {
        let bus = TestBus.lab("a")
        let client = bus.connect()
        client.send(#"send part/a burst {"count":1024,"size":900}"#)
        let view = bus.connect()
        view.send(#"{"op":"subscribe","to":"part/a","since":"1z141z7:0"}"#)
        let lines = view.takeLines()
        #expect(lines.count == 1_026)
        #expect(lines.first?.contains(#""resumed":true"#) == true)
    }

    // MARK: Keys

    /// Sends with a long key. Returns whether the answer reports a duplicate.
    private func set(_ number: Int) -> Bool {
        let key = "\(number)" + String(repeating: "k", count: 190)
        client.send(
            #"{"op":"send","to":"part/a","event":{"set":{"left":\#(number)}},"key":"\#(key)","id":1}"#
        )
        return client.takeLines().first?.contains("duplicate") ?? false
    }

    @Test func `Only the newer of many long keys are kept`() {
        for number in 0..<1_000 { #expect(!set(number)) }
        #expect(bus.bus.held.history <= Self.limit)
        #expect(set(999))
        #expect(set(900))
        #expect(!set(0))
    }
}

@Suite struct `The keys of a durable view model` {
    private let tallies: TallyFixture

    init() {
        var limits = Limits()
        limits.historyTotal = 10_000
        tallies = TallyFixture(limits: limits)
    }

    private func add(_ number: Int, _ client: TestConnection) {
        client.send(
            #"{"op":"send","to":"tally","event":{"add":{"_0":1}},"key":"\#(number)","id":1}"#)
        if tallies.log.hasCommits { tallies.succeed() }
    }

    @Test func `Durable keys are known after their answers were forgotten`() {
        let client = tallies.connect()
        for number in 0..<200 { add(number, client) }
        #expect(client.takeLines().allSatisfy { !$0.contains("duplicate") })
        #expect(tallies.bus.bus.held.history <= 10_000)
        for number in 0..<200 { add(number, client) }
        let lines = client.takeLines()
        #expect(lines.count == 200)
        #expect(lines.allSatisfy { $0.contains("duplicate") })
        #expect(tallies.count() == 200)
    }
}
