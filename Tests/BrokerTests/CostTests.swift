import BusdBroker
import BusdProtocol
import Testing

@testable import BusdTestKit

/// The work of a turn is bounded by its cost, whatever the number of requests.
@Suite struct `The cost of a turn` {
    let bus = TestBus.echoes()

    private func makeEchoes(_ count: Int) {
        let maker = bus.connect()
        for number in 0..<count { maker.send("get echo/\(number)") }
        _ = maker.takeLines()
    }

    @Test func `A turn is bounded when many clients ask for long answers`() {
        makeEchoes(2_000)
        let clients = (0..<40).map { _ in bus.connect() }
        for client in clients { bus.queue("list", "list", from: client) }
        bus.turn()
        let unread = bus.bus.held.answers
        #expect(unread > bus.bus.limits.output / 4)
        #expect(unread < Cost.turn)
        #expect(bus.hasWork)
        // All clients get their answers in the end.
        bus.settle()
        for client in clients {
            let lines = client.takeLines()
            #expect(lines.count == 2)
            #expect(lines.allSatisfy { $0.utf8.count > 100_000 })
        }
    }

    @Test func `A short request waits for at most one turn of long requests`() {
        makeEchoes(2_000)
        let greedy = (0..<40).map { _ in bus.connect() }
        let modest = bus.connect()
        for _ in 0..<10 {
            for client in greedy { bus.queue("list", from: client) }
            bus.turn()
            bus.queue("ping", from: modest)
            bus.turn()
            modest.expect(#"{"ok":{}}"#)
            #expect(bus.hasWork)
        }
        bus.settle()
        for client in greedy { #expect(client.takeLines().count == 10) }
    }

    @Test func `A short request goes before the waiting requests of a crowd`() {
        let crowd = (0..<1_000).map { _ in bus.connect() }
        let modest = bus.connect()
        for client in crowd { bus.queue("get ecko/x", from: client) }
        bus.turn()
        #expect(bus.hasWork)
        bus.queue("ping", from: modest)
        bus.turn()
        modest.expect(#"{"ok":{}}"#)
        #expect(bus.hasWork)
        bus.settle()
        for client in crowd { #expect(client.takeLines().count == 1) }
    }

    @Test func `A turn is bounded when all clients vanish at once`() {
        let crowd = (0..<1_000).map { _ in bus.connect() }
        for client in crowd { client.join("echo/x") }
        for client in crowd { client.slot.map { bus.bus.noticed($0) } }
        var turns = 0
        while bus.hasWork {
            let before = bus.bus.connectionCount
            bus.turn { slot, bus in bus.vanished(slot) }
            #expect(before - bus.bus.connectionCount <= Cost.turn / Cost.close + 1)
            turns += 1
        }
        #expect(turns > 1)
        #expect(crowd.allSatisfy { $0.isClosed })
    }
}

@Suite struct `The total of unread answers` {
    let bus = TestBus.lab("a", limits: .all(answers: 1_000, together: 3_000))

    private func ask(_ client: TestConnection, _ count: Int) {
        client.send(bytes: Array(String(repeating: "ping\n", count: count).utf8))
    }

    private let ping = #"{"ok":{}}"#.utf8.count + 1

    @Test func `Unread answers are bounded, and a client that reads is answered`() {
        let silent = (0..<10).map { _ in bus.connect() }
        for client in silent {
            client.stall()
            ask(client, 200)
        }
        #expect(bus.bus.held.answers > 3_000)
        // The first three reach the limit; each of the others has one answer.
        #expect(bus.bus.held.answers <= 3_000 + 1_000 + 10 * ping)
        let reader = bus.connect()
        ask(reader, 500)
        #expect(reader.takeLines().count == 500)
        for client in silent { client.readOn() }
        for client in silent { #expect(client.takeLines().count == 200) }
        #expect(bus.bus.held.answers == 0)
    }

    @Test func `A client that has read its answers goes on while others never read`() {
        let silent = (0..<10).map { _ in bus.connect() }
        for client in silent {
            client.stall()
            ask(client, 200)
        }
        #expect(!silent[0].isRead)
        silent[0].readOn()
        #expect(silent[0].takeLines().count == 200)
        #expect(silent[0].isRead)
        for client in silent.dropFirst() { client.disconnect() }
        #expect(bus.bus.held.answers == 0)
        for client in silent { _ = client.takeLines() }
    }
}

extension Limits {
    fileprivate static func all(answers output: Int, together: Int) -> Limits {
        var limits = Limits()
        limits.output = output
        limits.outputTotal = together
        return limits
    }
}
