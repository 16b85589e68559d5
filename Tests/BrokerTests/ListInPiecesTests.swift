import BusdBroker
import BusdProtocol
import Testing

@testable import BusdTestKit

/// A list of many view models. A piece has room for some of them.
@Suite struct `A long list` {
    let bus: TestBus
    let other: TestConnection
    let client: TestConnection
    private let output = 2_000
    /// The greatest length of a piece: a row may begin just before the limit.
    private var longest: Int { output / 4 + 60 }

    init() {
        var limits = Limits()
        limits.output = output
        bus = TestBus.lab(limits: limits)
        other = bus.connect()
        for number in 10..<40 { other.send(#"send bench add {"part":"\#(number)"}"#) }
        client = bus.connect()
    }

    /// Gives lines to the bus, and runs turns until the list has begun.
    private func begin(_ lines: String..., after turns: Int = 2) {
        for line in lines { bus.queue(line, from: client) }
        for _ in 0..<turns { bus.turn() }
        #expect(isListing(client))
        client.expectNothing()
    }

    private func isListing(_ client: TestConnection) -> Bool {
        client.slot.flatMap { bus.bus.state(of: $0) }?.isBeingAnswered ?? false
    }

    private func row(_ number: Int, views: Int = 0, seq: Int = 0) -> String {
        #"{"address":"part/\#(number)","kind":"part","views":\#(views),"seq":\#(seq)}"#
    }

    private func list(_ rows: [String], id: Int? = nil) -> String {
        let id = id.map { #","id":\#($0)"# } ?? ""
        return #"{"ok":{"viewModels":[\#(rows.joined(separator: ","))]}\#(id)}"#
    }

    private func all(id: Int? = nil) -> String { list((10..<40).map { row($0) }, id: id) }

    // MARK: The line

    @Test func `A list in pieces is one complete line`() {
        client.send(#"{"op":"list","to":"part/*","id":"x"}"#, "list part/**", "list")
        let others = [
            #"{"address":"bench","kind":"bench","views":0,"seq":30}"#,
            #"{"address":"bus/views","kind":"views","views":0,"seq":0}"#,
        ]
        client.expect(
            all().dropLast() + #","id":"x"}"#, all(), list(others + (10..<40).map { row($0) }))
        #expect(!isListing(client))
    }

    @Test func `A list is written in pieces, and others are served in between`() {
        bus.queue("list part/*", from: client)
        var turns = 0
        repeat {
            bus.turn()
            turns += 1
            #expect(bus.bus.held.answers <= longest)
            bus.queue(#"{"op":"ping","id":\#(turns)}"#, from: other)
            bus.turn()
            other.expect(#"{"ok":{},"id":\#(turns)}"#)
        } while isListing(client)
        #expect(turns > 1)
        bus.settle()
        client.expect(all())
        #expect(bus.bus.held.answers == 0)
    }

    @Test func `A list that fits a piece is answered at once, between other answers`() {
        bus.queue("ping", "list part/39", "list part/1", "list bus/*", "ping", from: client)
        bus.turn()
        client.expect(
            #"{"ok":{}}"#, list([row(39)]), list([]),
            #"{"ok":{"viewModels":[{"address":"bus/views",…}]}}"#, #"{"ok":{}}"#)
        bus.bus.limitTurns(to: 1)
        client.send("list bus/*")
        #expect(client.takeLines().count == 1)
    }

    @Test func `A search of many view models without a match takes several turns`() {
        let bus = TestBus.echoes()
        let maker = bus.connect()
        for number in 0..<4_000 { maker.send("get echo/\(number)") }
        _ = maker.takeLines()
        guard let slot = maker.slot else { return }
        bus.bus.limitTurns(to: 1)
        Array("list echo/*/x\nping\n".utf8).withUnsafeBytes { bus.bus.received($0, on: slot) }
        var lines: [String] = []
        var turns = 0
        while lines.count < 2, turns < 100 {
            bus.turn()
            turns += 1
            lines += maker.takeLines()
        }
        #expect(turns > 2)
        #expect(lines == [list([]), #"{"ok":{}}"#])
    }

    // MARK: Meanwhile

    @Test func `A list shows each view model as it is when its piece is made`() {
        begin("list part/*")
        bus.queue(#"send part/10 say {"text":"x"}"#, #"send part/39 say {"text":"x"}"#, from: other)
        bus.queue("subscribe part/39", "subscribe part/10", from: other)
        bus.settle()
        client.expect(list((10..<39).map { row($0) } + [row(39, views: 1, seq: 1)]))
        #expect(other.takeLines().count > 2)
    }

    @Test func `A list omits view models that end, arrive or are replaced meanwhile`() {
        begin("list part/*")
        for number in [10, 37, 38] {
            bus.queue(#"send bench remove {"part":"\#(number)"}"#, from: other)
        }
        for number in ["38", "100", "3700", "390", "9"] {
            bus.queue(#"send bench add {"part":"\#(number)"}"#, from: other)
        }
        bus.settle()
        client.expect(list(((10..<37).map { $0 } + [39]).map { row($0) }))
        client.send("list part/9", "list part/38")
        client.expect(
            #"{"ok":{"viewModels":[{"address":"part/9",…}]}}"#, list([row(38)]))
    }

    @Test func `A list is completed if its last view models end meanwhile`() {
        begin("list part/*")
        for number in 12..<40 {
            bus.queue(#"send bench remove {"part":"\#(number)"}"#, from: other)
        }
        bus.settle()
        let line = client.takeLines().joined()
        #expect(line.hasPrefix(list([row(10)]).dropLast(3)))
        #expect(line.hasSuffix("}]}}"))
        #expect(!line.contains("part/39"))
    }

    @Test func `A list precedes later events, and the next requests wait for it`() {
        client.join("part/*")
        begin(#"{"op":"list","to":"part/*","id":1}"#, #"{"op":"ping","id":2}"#)
        bus.queue(#"send part/10 say {"text":"x"}"#, from: other)
        bus.queue(
            #"{"op":"send","to":"part/11","event":{"say":{"text":"y"}},"id":3}"#, from: client)
        bus.settle()
        let rows = (10..<40).map { row($0, views: 1, seq: 0) }
        client.expect(
            list(rows, id: 1), #"{"from":"part/10","seq":1,"event":{"said":{"text":"x"}}}"#,
            #"{"ok":{},"id":2}"#,
            #"{"from":"part/11","seq":1,"cause":{"connection":3,"id":3},"#
                + #""event":{"said":{"text":"y"}}}"#,
            #"{"ok":{"seq":[1,1],"changed":true},"id":3}"#)
    }

    @Test func `A list follows earlier events`() {
        client.join("part/10")
        client.stall()
        other.send(#"send part/10 say {"text":"x"}"#)
        client.send("ping", "list part/*", "list part/*")
        client.readOn()
        let rows = [row(10, views: 1, seq: 1)] + (11..<40).map { row($0) }
        client.expect(
            #"{"from":"part/10","seq":1,"event":{"said":{"text":"x"}}}"#, #"{"ok":{}}"#,
            list(rows), list(rows))
    }

    // MARK: Clients that do not read

    @Test func `A client that does not read holds one piece of a list`() {
        let silent = (0..<20).map { _ in bus.connect() }
        for (room, client) in silent.enumerated() {
            client.stall(after: room * 80)
            client.send("list part/*", "list part/*")
            #expect(isListing(client))
        }
        #expect(bus.bus.held.answers <= 20 * 2 * longest)
        for client in silent {
            for _ in 0..<100 { client.makeRoom(37) }
            #expect(!isListing(client))
            client.expect(all(), all())
        }
        #expect(bus.bus.held.answers == 0)
    }

    @Test func `Events after a list may be dropped, and their gap follows the list`() {
        client.join("part/10")
        client.stall(after: 100)
        client.send("list part/*")
        other.tell("10", times: 40)
        client.makeRoom(100)
        client.readOn()
        client.expect(
            list([row(10, views: 1)] + (11..<40).map { row($0) }),
            #"{"gap":"part/10","missed":40}"#, #"{"from":"part/10","seq":40,"snapshot":true,…"#,
            #"{"from":"part/10","seq":40,"snapshot":true,…"#,
            #"{"from":"part/10","seq":40,"snapshot":true,…"#,
            #"{"live":"part/10","cursor":"…:40","done":"…"}"#)
    }

    @Test func `Events before a list may be dropped, and their gap precedes the list`() {
        client.join("part/10")
        client.stall()
        other.tell("10", times: 2)
        client.send("list part/*")
        other.tell("10", times: 40)
        client.readOn()
        var lines = client.takeLines()
        #expect(lines.removeFirst() == #"{"gap":"part/10","missed":42}"#)
        #expect(lines.count == 5)
        #expect(
            lines.last == list([row(10, views: 1, seq: 2)] + (11..<40).map { row($0) }))
    }

    @Test func `A list is kept when waiting events become too old`() {
        client.join("part/10")
        client.stall(after: 100)
        client.send("list part/*")
        other.tell("10", times: 1)
        bus.advance(by: .seconds(3))
        other.tell("10", times: 1)
        client.makeRoom(200)
        bus.advance(by: .seconds(3))
        client.readOn()
        #expect(
            client.takeLines().map { String($0.prefix(22)) } == [
                String(all().prefix(22)), #"{"gap":"part/10","miss"#, #"{"from":"part/10","seq"#,
                #"{"from":"part/10","seq"#, #"{"from":"part/10","seq"#, #"{"live":"part/10","cur"#,
            ])
    }

    @Test func `A list is sent in small pieces, and never refused, while too much is unread`() {
        var limits = Limits()
        limits.output = output
        limits.outputTotal = 1_000
        let bus = TestBus.lab("a", "b", "c", limits: limits)
        bus.bus.keepSnapshots(from: 0)
        let silent = (0..<50).map { _ in bus.connect() }
        for client in silent {
            client.stall()
            client.send("list")
        }
        #expect(bus.bus.held.answers <= 1_000 + 500 + 50 * (output / 64 + 100))
        let reader = bus.connect()
        reader.send("get part/a", "list")
        let lines = reader.takeLines()
        #expect(lines.first?.hasPrefix(#"{"error":{"code":"overloaded""#) == true)
        for client in silent { client.readOn() }
        for client in silent { #expect(client.takeLines() == Array(lines.dropFirst())) }
    }

    // MARK: Ends

    @Test func `A list is completed for a half-closed client, which is then closed`() {
        bus.queue("list part/*", from: client)
        client.endInput()
        client.expect(all())
        #expect(client.isClosed)
    }

    @Test func `A list is completed for a half-closed view, which stays open`() {
        client.join("part/10")
        client.stall(after: 100)
        bus.queue("list part/*", from: client)
        client.endInput()
        bus.advance(by: .seconds(16))
        client.readOn()
        client.expect(list([row(10, views: 1)] + (11..<40).map { row($0) }))
        bus.advance(by: .seconds(15))
        client.expect(#"{"ping":1}"#)
        #expect(!client.isClosed)
    }

    @Test func `A list is dropped when its client vanishes`() {
        begin("list part/*")
        client.disconnect()
        #expect(bus.bus.held.answers == 0)
        let next = bus.connect()
        #expect(next.slot == client.slot)
        next.send("ping")
        next.expect(#"{"ok":{}}"#)
        _ = client.takeLines()
    }

    private let bye = #"{"bye":{"code":"closing","message":"the daemon is stopping"}}"#

    @Test func `A list is completed before the goodbye`() {
        let reader = bus.connect()
        reader.join("bench")
        bus.queue("list part/*", "ping", from: reader)
        begin("list part/*", "ping", after: 1)
        bus.bus.stopTaking()
        bus.turn()
        #expect(isListing(client))
        bus.stop()
        client.expect(all(), bye)
        reader.expect(all(), bye)
        #expect(client.isClosed)
        #expect(reader.isClosed)
        other.expect(bye)
    }

    @Test func `A list is cut off with a connection that does not read its goodbye`() {
        client.stall(after: 300)
        client.send("list part/*")
        bus.stop()
        client.makeRoom(500)
        #expect(!client.isClosed)
        bus.advance(by: .milliseconds(1_999))
        #expect(!client.isClosed)
        bus.advance(by: .milliseconds(1))
        #expect(client.isClosed)
        #expect(bus.bus.hasSentGoodbyes == true)
        other.expect(bye)
        client.expectNothing()
    }
}
