import BusdBroker
import BusdProtocol
import Testing

@testable import BusdTestKit

/// A short request does not wait for any number of long ones, and a long request does not wait for
/// an endless sequence of short ones.
@Suite struct `Long requests` {
    let bus = TestBus.echoes()

    /// Examining the requests of a crowd takes some turns.
    private static let fewTurns = 12

    init() {
        let maker = bus.connect()
        for number in 0..<50 { maker.send("get echo/\(number)") }
        _ = maker.takeLines()
        bus.bus.limitTurns(to: 1 << 16)
    }

    /// Runs turns until the client has an answer to its ping. Returns the number of turns.
    private func turnsOfPing(_ client: TestConnection, _ bus: TestBus) -> Int {
        bus.queue("ping", from: client)
        for turn in 1...1_000 {
            bus.turn()
            let lines = client.takeLines()
            guard lines.isEmpty else {
                #expect(lines == [#"{"ok":{}}"#])
                return turn
            }
        }
        return .max
    }

    private func crowd(of bus: TestBus, asking line: String) -> [TestConnection] {
        let crowd = (0..<400).map { _ in bus.connect() }
        for client in crowd { bus.queue(line, from: client) }
        return crowd
    }

    @Test(arguments: ["subscribe echo/*", "subscribe **", "list", "describe echo", "get echo/new"])
    func `Hundreds of long requests delay neither a connected nor a new client`(line: String) {
        let busy = bus.connect()
        let crowd = crowd(of: bus, asking: line)
        var worst = (busy: 0, newcomer: 0)
        for _ in 0..<100 where bus.hasWork {
            worst.busy = max(worst.busy, turnsOfPing(busy, bus))
            worst.newcomer = max(worst.newcomer, turnsOfPing(bus.connect(), bus))
        }
        #expect(worst.busy <= Self.fewTurns)
        #expect(worst.newcomer <= Self.fewTurns)
        bus.settle()
        for client in crowd { #expect(!client.takeLines().isEmpty) }
    }

    @Test(arguments: ["get part/a", #"{"op":"ping","x-":"$"}"#])
    func `A long snapshot and a long line count as long requests`(line: String) {
        let bus = TestBus.lab("a")
        let text = String(repeating: "x", count: Cost.shortJob)
        let busy = bus.connect()
        busy.send(#"send part/a append {"item":"\#(text)"}"#, "get part/a")
        #expect(busy.takeLines().count == 1)
        bus.bus.limitTurns(to: 1 << 16)
        let crowd = crowd(of: bus, asking: line.replacing("$", with: text))
        #expect(turnsOfPing(busy, bus) <= Self.fewTurns)
        #expect(bus.hasWork)
        bus.settle()
        for client in crowd { #expect(client.takeLines().count == 1) }
    }

    @Test func `A crowd with many short requests does not delay a short request`() {
        let modest = bus.connect()
        let line = Array(repeating: "ping", count: 64).joined(separator: "\n")
        let crowd = crowd(of: bus, asking: line)
        bus.turn()
        for _ in 0..<20 { #expect(turnsOfPing(modest, bus) == 1) }
        #expect(bus.hasWork)
        bus.settle()
        for client in crowd { #expect(client.takeLines().count == 64) }
    }

    @Test func `A long request goes on under an endless sequence of short requests`() {
        let greedy = (0..<300).map { _ in bus.connect() }
        let lister = bus.connect()
        bus.queue("list", from: lister)
        var turns = 0
        while case let lines = lister.takeLines(), lines.isEmpty, turns < 100 {
            for client in greedy { bus.queue("ping", from: client) }
            bus.turn()
            turns += 1
        }
        #expect(turns <= Self.fewTurns)
        #expect(bus.hasWork)
        bus.settle()
        for client in greedy { _ = client.takeLines() }
    }

    @Test func `Long and short requests are answered in their order`() {
        let client = bus.connect()
        bus.queue(
            [
                #"{"op":"ping","id":1}"#, #"{"op":"list","id":2}"#, #"{"op":"ping","id":3}"#,
                #"{"op":"subscribe","to":"echo/*","id":4}"#, #"{"op":"ping","id":5}"#,
                #"{"op":"describe","to":"echo","id":6}"#, #"{"op":"ping","id":7}"#,
            ].joined(separator: "\n"), from: client)
        bus.settle()
        let answers = client.takeLines().filter { $0.contains(#""id":"#) }
        #expect(answers.count == 7)
        for (number, answer) in answers.enumerated() {
            #expect(answer.hasSuffix(#","id":\#(number + 1)}"#))
        }
    }
}
