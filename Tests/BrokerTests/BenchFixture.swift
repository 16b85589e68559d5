import BusdBroker
import BusdEcho
import BusdHosting
import BusdProtocol
import Testing

import enum BusdProtocol.Delivery

@testable import BusdTestKit

// View models for tests of the bus. The bench, at `bench`, adds and removes parts, and can make
// several parts emit at once. A part, at `part/NAME`, has two values, a message, and a list that
// grows by edits.

enum BenchKind: ViewModelKind {
    static let name = "bench"

    enum ViewEvent: WireEvent {
        case add(part: String)
        case remove(part: String)
        /// Each named part emits the text, in this order.
        case tell(parts: [String], text: String)
        /// Adds `part`, and then makes the part `by` emit the text.
        case announce(part: String, by: String, text: String)
        case nothing

        static let examples: [Self] = [
            .add(part: "a"), .remove(part: "a"), .tell(parts: ["a"], text: "hi"),
            .announce(part: "b", by: "a", text: "hi"), .nothing,
        ]
    }

    enum ViewModelEvent: WireEvent {
        case parts(names: [String])

        var delivery: Delivery { .latest }

        static let examples: [Self] = [.parts(names: ["a"])]
    }
}

enum PartKind: ViewModelKind {
    static let name = "part"

    enum ViewEvent: WireEvent {
        case set(left: Int?, right: Int?)
        case say(text: String)
        /// Emits `count` texts of `size` letters, in one update.
        case burst(count: Int, size: Int)
        case append(item: String)
        /// Emits the text after `seconds`.
        case later(seconds: Int, text: String)
        /// Emits a number that JSON cannot represent.
        case fail
        case end

        static let examples: [Self] = [
            .set(left: 1, right: 2), .say(text: "hi"), .burst(count: 2, size: 3),
            .append(item: "x"), .later(seconds: 1, text: "hi"), .fail, .end,
        ]
    }

    enum ViewModelEvent: WireEvent {
        case left(number: Int)
        case right(number: Int)
        case items(list: [String])
        case appended(item: String)
        case said(text: String)
        case measured(number: Double)

        var delivery: Delivery {
            switch self {
            case .left, .right, .items: .latest
            case .appended, .said, .measured: .every
            }
        }

        static let examples: [Self] = [
            .left(number: 1), .right(number: 2), .items(list: ["x"]), .appended(item: "x"),
            .said(text: "hi"), .measured(number: 0.5),
        ]
    }
}

/// What the view models of a bench share.
final class Shelf {
    weak var host: Host?
    var parts: [String: WeakPart] = [:]
    /// How often a part has been made.
    var made = 0

    struct WeakPart { weak var part: PartViewModel? }
}

final class BenchViewModel: HostedViewModel {
    typealias Kind = BenchKind
    static let placement = Placement.fixed(.literal("bench"))

    let output = Output<BenchKind.ViewModelEvent>()
    private let shelf: Shelf
    private var names: [String] = []

    init(at address: Address, services: Shelf) { shelf = services }

    func start() { output.send(.parts(names: names)) }

    func handle(event: BenchKind.ViewEvent) {
        switch event {
        case .add(let name): add(name)
        case .remove(let name): remove(name)
        case .tell(let names, let text):
            for name in names { shelf.parts[name]?.part?.say(text) }
        case .announce(let name, let speaker, let text):
            add(name)
            shelf.parts[speaker]?.part?.say(text)
        case .nothing: break
        }
    }

    private func add(_ name: String) {
        guard !names.contains(name), let address = Address("part/\(name)") else { return }
        names.append(name)
        shelf.host?.add(PartKind.self, at: address)
        output.send(.parts(names: names))
    }

    private func remove(_ name: String) {
        guard let address = Address("part/\(name)") else { return }
        names.removeAll { $0 == name }
        shelf.host?.remove(address)
        output.send(.parts(names: names))
    }
}

final class PartViewModel: HostedViewModel {
    typealias Kind = PartKind
    static let placement = Placement.added

    let output = Output<PartKind.ViewModelEvent>()
    private let address: Address
    private let shelf: Shelf
    private var items: [String] = []
    private var timers: [ScheduledAction] = []

    init(at address: Address, services: Shelf) {
        self.address = address
        shelf = services
        shelf.made += 1
        shelf.parts[address.name] = Shelf.WeakPart(part: self)
    }

    func start() {
        output.send(.left(number: 0))
        output.send(.right(number: 0))
        output.send(.items(list: items))
        // When a part such as `0loud` wakes, the part `a` emits.
        if address.name.hasSuffix("loud") { shelf.parts["a"]?.part?.say("woken") }
    }

    func handle(event: PartKind.ViewEvent) {
        switch event {
        case .set(let left, let right):
            if let left { output.send(.left(number: left)) }
            if let right { output.send(.right(number: right)) }
        case .say(let text): say(text)
        case .burst(let count, let size):
            for _ in 0..<count { say(String(repeating: "x", count: size)) }
        case .append(let item):
            items.append(item)
            output.send(.appended(item: item), current: .items(list: items))
        case .later(let seconds, let text):
            let timer = shelf.host?.clock.schedule(after: .seconds(seconds)) { [weak self] in
                self?.say(text)
            }
            if let timer { timers.append(timer) }
        case .fail: output.send(.measured(number: .nan))
        case .end: shelf.host?.remove(address)
        }
    }

    func say(_ text: String) { output.send(.said(text: text)) }
}

extension TestBus {
    /// A bus with a bench and these parts.
    static func lab(
        _ parts: String..., limits: Limits = Limits(), hasManualClock: Bool = false,
        log: any Log = MemoryLog(), policy: Policy? = nil,
        also register: (Host) -> Void = { _ in }
    ) -> TestBus {
        let bus = TestBus(
            limits: limits, hasManualClock: hasManualClock, log: log, policy: policy
        ) { host in
            let shelf = Shelf()
            shelf.host = host
            host.register(BenchViewModel.self, services: shelf)
            host.register(PartViewModel.self, services: shelf)
            register(host)
        }
        let builder = bus.connect()
        for part in parts { builder.send(#"send bench add {"part":"\#(part)"}"#) }
        builder.disconnect()
        return bus
    }
}

extension TestConnection {
    /// Subscribes, and discards the lines of the join.
    func join(_ pattern: String) {
        send("subscribe \(pattern)")
        _ = takeLines()
    }
}

extension TestBus {
    /// A bus with echoes on demand, and nothing else.
    static func echoes(limits: Limits = Limits(), hasManualClock: Bool = false) -> TestBus {
        TestBus(limits: limits, hasManualClock: hasManualClock) { $0.register(EchoViewModel.self) }
    }

    /// Gives lines to the bus without running a turn.
    func queue(_ lines: String..., from client: TestConnection) {
        guard let slot = client.slot else { return }
        Array(lines.map { $0 + "\n" }.joined().utf8)
            .withUnsafeBytes { bus.received($0, on: slot) }
    }
}
