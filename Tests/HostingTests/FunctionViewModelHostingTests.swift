import BusdHosting
import BusdProtocol
import BusdTestKit
import Testing

import enum BusdProtocol.Delivery

/// `greeter/NAME`: greets each visitor, and shows whether there was a visitor.
private enum Greeter: ViewModelKind {
    static let name = "greeter"

    enum ViewEvent: WireEvent {
        case came(name: String)

        static let examples: [Self] = [.came(name: "Ann")]
    }

    enum ViewModelEvent: WireEvent {
        case guests(count: Int)
        case greeted(text: String)

        var delivery: Delivery {
            switch self {
            case .guests: .latest
            case .greeted: .every
            }
        }

        static let examples: [Self] = [.guests(count: 1), .greeted(text: "Hello, Ann")]
    }
}

private func greet(
    _ came: Signal<String>
) -> (guests: Property<Int>, greeted: Signal<String>) {
    (
        Property(initial: 0, then: came.scan(0) { $0 + ($1.isEmpty ? 0 : 1) }),
        came.map { "Hello, \($0)" }
    )
}

/// Held by the wiring of the function, so that a test sees when the wiring is released.
private final class Life {}

private final class Registry {
    weak var life: Life?
}

private enum GreeterFunction: ViewModelFunction {
    typealias Kind = Greeter
    static let placement = Placement.onDemand

    static func wire(at address: Address, services: Registry) -> Wiring<Greeter>? {
        guard address.name != "nobody" else { return nil }
        let life = Life()
        services.life = life
        let (came, come) = Signal<String>.pipe()
        return Wiring(
            greet(came.map { name in withExtendedLifetime(life) { name } }),
            to: { .guests(count: $0) }, { .greeted(text: $0) }
        ) { event in
            switch event {
            case .came(let name): come.send(value: name)
            }
        }
    }
}

@Suite struct FunctionViewModelHostingTests {
    private let registry = Registry()
    private let bus: TestBus

    init() {
        bus = TestBus { [registry] host in
            host.register(FunctionViewModel<GreeterFunction>.self, services: registry)
        }
    }

    @Test func `A hosted function is used on the bus like any other view model`() {
        let ann = bus.connect()
        ann.send("subscribe greeter/door")
        ann.expect(
            #"{"ok":{"to":"greeter/door","matched":["greeter/door"],"resumed":false}}"#,
            #"{"from":"greeter/door","seq":0,"snapshot":true,"event":{"guests":{"count":0}}}"#,
            #"{"live":"greeter/door","cursor":"…:0","done":"…"}"#)
        ann.send(#"send greeter/door came {"name":"Ann"}"#)
        ann.expect(
            #"{"from":"greeter/door","seq":1,"more":true,"event":{"guests":{"count":1}}}"#,
            #"{"from":"greeter/door","seq":2,"event":{"greeted":{"text":"Hello, Ann"}}}"#)
        ann.send("get greeter/door", "get greeter/nobody", "describe greeter")
        ann.expect(
            #"{"ok":{"address":"greeter/door","cursor":"…:2","done":"…","events":[{"guests":{"count":1}}]}}"#,
            #"{"error":{"code":"unknownViewModel","message":"…"}}"#,
            #"{"ok":{"kind":"greeter","viewEvents":[{"name":"came",…},{"name":"greeted",…}]}}"#)
    }

    @Test func `A hosted function is released whole after a minute without use`() {
        let ann = bus.connect()
        ann.send(#"send greeter/door came {"name":"Ann"}"#, "get greeter/door")
        ann.expect(
            #"{"ok":{"address":"greeter/door","cursor":"…","events":[{"guests":{"count":1}}]}}"#)
        #expect(registry.life != nil)
        bus.advance(by: .seconds(61))
        #expect(registry.life == nil)
        ann.send("get greeter/door")
        ann.expect(
            #"{"ok":{"address":"greeter/door","cursor":"…","events":[{"guests":{"count":0}}]}}"#)
    }
}
