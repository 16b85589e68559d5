import BusdBroker
import BusdEcho
import BusdHosting
import BusdProtocol
import Testing

@testable import BusdTestKit

/// Requests about hundreds of view models, in turns that have room for some of them. No turn does
/// much more than it has room for, so no other client waits.
@Suite struct `A daemon with many view models` {
    private static let count = 300
    /// Most view models that a turn may show, leave, let wait, make or end.
    private static let most = 150
    /// Highest cost of a turn: what it has room for, and a step of a walk.
    private static let mostCost = 60_000

    private let bus: TestBus
    private let other: TestConnection
    private let view: TestConnection

    init() {
        bus = TestBus.lab(also: { $0.register(EchoViewModel.self) })
        other = bus.connect()
        for number in 0..<Self.count { other.send("get echo/\(number)") }
        view = bus.connect()
        _ = (other.takeLines(), view.takeLines())
        bus.bus.limitTurns(to: 10_000)
    }

    /// What a turn may change: numbers of view models.
    private struct Counts {
        let viewModels, watches, waits: Int

        init(_ bus: TestBus) {
            viewModels = bus.bus.viewModelCount
            watches = bus.bus.held.memberships
            waits = bus.bus.states.reduce(0) { $0 + $1.catchUpCount }
        }

        func change(to other: Counts) -> Int {
            max(
                abs(viewModels - other.viewModels), abs(watches - other.watches),
                abs(waits - other.waits))
        }
    }

    /// Runs turns until nothing is left to do, and checks each of them.
    private func settle(_ title: String, _ begin: () -> Void) {
        var before = Counts(bus)
        begin()
        var turns = 0
        var changed = before.change(to: Counts(bus))
        // The descriptions of the kinds are made one by one.
        let mostCost = title.contains("describe") ? 150_000 : Self.mostCost
        repeat {
            before = Counts(bus)
            let spent = bus.bus.costs
            bus.turn()
            turns += 1
            changed = max(changed, before.change(to: Counts(bus)))
            #expect(bus.bus.costs - spent < mostCost, "\(title)")
        } while bus.isUnsettled && turns < 10_000
        #expect(turns < 10_000, "\(title)")
        #expect(changed < Self.most, "\(title)")
    }

    private func request(_ lines: String...) {
        for line in lines {
            settle(line) { bus.queue(line, from: view) }
            let answers = view.takeLines().filter { $0.hasSuffix(#","id":1}"#) }
            #expect(answers.count == 1, "\(line)")
            #expect(answers.allSatisfy { $0.hasPrefix(#"{"ok":"#) }, "\(line)")
        }
    }

    private static let subscriptions = [
        #"{"op":"subscribe","to":"**","id":1}"#, #"{"op":"subscribe","to":"echo/*","id":1}"#,
        #"{"op":"subscribe","to":"*/*","only":["said"],"id":1}"#,
        #"{"op":"subscribe","to":"*/1","id":1}"#, #"{"op":"subscribe","to":"*/*/zz","id":1}"#,
        #"{"op":"subscribe","to":"**","only":["said"],"id":1}"#,
        #"{"op":"subscribe","to":"**","only":[],"id":1}"#,
    ]
    private static let others = [
        #"{"op":"list","id":1}"#, #"{"op":"list","to":"*/*/zz","id":1}"#,
        #"{"op":"describe","id":1}"#, #"{"op":"help","id":1}"#, #"{"op":"ping","id":1}"#,
        #"{"op":"get","to":"echo/7","id":1}"#, #"{"op":"hello","protocol":1,"name":"x","id":1}"#,
        #"{"op":"send","to":"echo/7","event":{"say":{"text":"hi"}},"id":1}"#,
    ]

    @Test(arguments: subscriptions + others)
    func `A request touches few view models in a turn`(line: String) {
        request(line, line)
    }

    @Test func `A request of a client that watches much touches few view models in a turn`() {
        for line in Self.subscriptions + Self.others + Self.subscriptions { request(line) }
        for pattern in ["*/*/zz", "echo/*", "**", "*/1", "*/*"] {
            request(#"{"op":"unsubscribe","to":"\#(pattern)","id":1}"#)
        }
        #expect(bus.bus.held.memberships == 0)
    }

    @Test func `A client that closes while it joins again leaves few view models in a turn`() {
        request(Self.subscriptions[0])
        bus.queue(Self.subscriptions[0], from: view)
        bus.turn()
        settle("close") { view.slot.map { bus.bus.vanished($0) } }
        #expect(bus.bus.held.memberships == 0)
        _ = view.takeLines()
    }

    @Test func `Few of the view models that are idle at the same moment end in a turn`() {
        let before = bus.bus.viewModelCount
        settle("idle") { bus.bus.tick(bus.bus.now + .seconds(61)) }
        #expect(bus.bus.viewModelCount == before - Self.count)
    }
}
