import BusdBroker
import BusdHosting
import BusdProtocol
import Testing

@Suite struct HostTests {
    let fixture = HostFixture()
    var host: Host { fixture.host }
    var services: RoomServices { fixture.services }

    private func id(_ slot: Int, _ generation: UInt32) -> ModelID {
        ModelID(slot: slot, generation: generation)
    }

    // MARK: Kinds

    @Test func `a host knows its kinds by their names, in the order of registration`() throws {
        #expect(host.kindNames == ["room", "hall", "cell"])
        let room = try #require(host.kind(named: "room"))
        #expect(host.name(of: room) == "room")
        #expect(host.kind(named: "Room") == nil)
        #expect(!host.traits(of: room).contains(.durable))
        let description = host.description(of: room)
        #expect(description.name == "room")
        #expect(description.viewEvents.map(\.name) == ["paint", "shout", "measure", "leave"])
        #expect(description.viewModelEvents.map(\.name) == ["colour", "shouted", "area"])
        #expect(description.viewModelEvents.map(\.delivery) == [.latest, .every, .latest])
    }

    @Test(arguments: [
        ("", "the kind '' needs another name: \(Self.rule)"),
        ("a/b", "the kind 'a/b' needs another name: \(Self.rule)"),
        (".a", "the kind '.a' needs another name: \(Self.rule)"),
        ("ä", "the kind 'ä' needs another name: \(Self.rule)"),
        ("bus", "the kind 'bus' needs another name: this one is reserved"),
        ("views", "the kind 'views' needs another name: this one is reserved"),
        ("statistics", "the kind 'statistics' needs another name: this one is reserved"),
        ("clock", "the kind 'clock' needs another name: this one is reserved"),
        ("house", "the kind 'house' needs another name: this one is reserved"),
        ("room", "the kind 'room' is registered twice"),
    ])
    func `a host refuses a kind with an invalid or taken name`(name: String, problem: String) {
        NamedKind.$current.withValue((name, .onDemand)) {
            host.register(NamedViewModel.self)
            #expect(host.problems == [problem])
            #expect(host.kindNames == ["room", "hall", "cell"])
        }
    }

    private static let rule = "letters, digits, '.', '_' and '-', without '.' in front"

    @Test(arguments: [
        ("bus/mine", "addresses that begin with bus are reserved"), ("hall", "another kind has it"),
    ])
    func `a kind with a reserved or taken address is refused`(text: String, reason: String) throws {
        let address = try #require(Address(text))
        NamedKind.$current.withValue(("mine", .fixed(address))) {
            host.register(NamedViewModel.self)
            #expect(
                host.problems == [
                    "the kind 'mine' needs another address than \(text): \(reason)"
                ])
        }
    }

    @Test func `a view model of an unknown kind is not added, and reported`() throws {
        let address = try #require(Address("mine/a"))
        host.add(NamedKind.self, at: address)
        #expect(host.takeFaults() == ["cannot add mine/a: the kind 'mine' is not registered"])
        #expect(host.find(address) == nil)
    }

    /// Clients would be informed that it survives the daemon, although nothing stores it.
    @Test func `a view model of another package cannot declare itself durable by a property`()
        throws
    {
        host.register(Eternal.self)
        #expect(!host.traits(of: try #require(host.kind(named: "eternal"))).contains(.durable))
    }

    private enum EternalKind: ViewModelKind {
        static let name = "eternal"
        typealias ViewEvent = RoomKind.ViewEvent
        typealias ViewModelEvent = RoomKind.ViewModelEvent
    }

    private final class Eternal: HostedViewModel {
        typealias Kind = EternalKind
        static let placement = Placement.added
        static let isDurable = true

        let output = Output<RoomKind.ViewModelEvent>()

        init(at address: Address, services: Void) {}

        func handle(event: RoomKind.ViewEvent) {}
    }

    // MARK: Placements

    @Test func `a fixed view model is made and started when the host opens`() {
        #expect(services.made == [])
        host.open()
        #expect(services.made == ["hall"])
        #expect(fixture.takeEntries() == ["+ hall hall", "+ hall/closet room"])
    }

    @Test func `an added view model is made at its first snapshot, and started once`() {
        host.open()
        #expect(services.made == ["hall"])
        let closet = id(1, 2)
        #expect(!host.isAwake(closet))
        #expect(fixture.snapshot(closet) == [#"{"colour":{"text":"white"}}"#])
        #expect(host.isAwake(closet))
        #expect(fixture.snapshot(closet) == [#"{"colour":{"text":"white"}}"#])
        #expect(services.made == ["hall", "hall/closet"])
        #expect(services.started == ["hall/closet"])
    }

    @Test func `an added view model is made when it gets an event`() throws {
        host.open()
        _ = fixture.takeEntries()
        try fixture.send(#"{"paint":{"colour":"red"}}"#, to: id(1, 2))
        // The events of `start()` are not emitted.
        #expect(fixture.takeEntries() == [#"{"colour":{"text":"red"}}"#])
        #expect(fixture.snapshot(id(1, 2)) == [#"{"colour":{"text":"red"}}"#])
    }

    @Test func `a view model on demand is made at once, at an address of two segments`() {
        host.make(.literal("cell/1"))
        #expect(fixture.takeEntries() == ["+ hall hall", "+ cell/1 cell on demand"])
        #expect(services.started == ["cell/1"])
        for text in ["cell", "cell/1/2", "room/1", "hall/1", "nothing/1"] {
            guard let address = Address(text) else { continue }
            #expect(host.kindOnDemand(at: address) == nil)
            host.make(address)
        }
        host.make(.literal("cell/1"))
        #expect(fixture.takeEntries() == [])
        #expect(host.kindOnDemand(at: .literal("cell/2")) == host.kind(named: "cell"))
    }

    @Test func `a view model on demand can be dropped`() {
        host.make(.literal("cell/1"))
        _ = fixture.takeEntries()
        host.drop(id(1, 2))
        #expect(fixture.takeEntries() == ["- 1"])
        #expect(services.released == ["cell/1"])
        #expect(!host.isAwake(id(1, 2)))
        host.drop(id(1, 2))
        #expect(fixture.takeEntries() == [])
    }

    @Test func `a view model on demand that refuses its address is not made`() {
        host.make(.literal("cell/13"))
        #expect(fixture.takeEntries() == ["+ hall hall"])
        #expect(services.made == [])
    }

    @Test func `an added view model that refuses its address shows nothing`() {
        host.add(RoomKind.self, at: .literal("hall/13"))
        #expect(fixture.snapshot(id(1, 2)) == [])
        #expect(host.takeFaults() == ["cannot make hall/13"])
    }

    // MARK: The directory

    @Test func `a host adds an address once`() {
        host.add(RoomKind.self, at: .literal("a"))
        host.add(RoomKind.self, at: .literal("a"))
        #expect(fixture.takeEntries() == ["+ hall hall", "+ a room"])
    }

    @Test func `a host removes an address with all below it, the deepest first`() {
        for text in ["a", "a/b", "a/b/c", "ab", "a-"] {
            if let address = Address(text) { host.add(RoomKind.self, at: address) }
        }
        _ = fixture.takeEntries()
        host.remove(.literal("a"))
        #expect(fixture.takeEntries() == ["- 3", "- 2", "- 1"])
        host.remove(.literal("a"))
        host.remove(.literal("nothing"))
        #expect(fixture.takeEntries() == [])
        #expect(fixture.snapshot(id(4, 5)) == [#"{"colour":{"text":"white"}}"#])
    }

    @Test func `a view model can be removed while it handles an event`() throws {
        host.add(RoomKind.self, at: .literal("a"))
        _ = fixture.snapshot(id(1, 2))
        _ = fixture.takeEntries()
        try fixture.send(#"{"leave":{}}"#, to: id(1, 2))
        #expect(fixture.takeEntries() == ["- 1"])
        #expect(services.released == ["a"])
    }

    @Test func `an event for an ended view model does not reach its successor`() throws {
        host.add(RoomKind.self, at: .literal("a"))
        _ = fixture.snapshot(id(1, 2))
        host.remove(.literal("a"))
        host.released(id(1, 2))
        host.add(RoomKind.self, at: .literal("b"))
        #expect(fixture.takeEntries() == ["+ hall hall", "+ a room", "- 1", "+ b room"])
        try fixture.send(#"{"shout":{}}"#, to: id(1, 2))
        #expect(fixture.takeEntries() == [])
        try fixture.send(#"{"shout":{}}"#, to: id(1, 3))
        #expect(fixture.takeEntries() == [#"{"shouted":{}}"#])
    }

    @Test func `a slot is not used again before the bus has released it`() {
        host.add(RoomKind.self, at: .literal("a"))
        host.remove(.literal("a"))
        host.add(RoomKind.self, at: .literal("b"))
        #expect(fixture.takeEntries() == ["+ hall hall", "+ a room", "- 1", "+ b room"])
        #expect(host.snapshot(of: id(2, 3)) { .none }.events.count == 1)
    }

    @Test func `an address can be added again after its view model has ended`() {
        host.add(RoomKind.self, at: .literal("a"))
        _ = fixture.takeEntries()
        host.remove(.literal("a"))
        host.add(RoomKind.self, at: .literal("a"))
        #expect(fixture.takeEntries() == ["- 1", "+ a room"])
        #expect(fixture.snapshot(id(2, 3)) == [#"{"colour":{"text":"white"}}"#])
    }

    // MARK: Emitted events

    @Test func `all but the last event of a view model's update are marked`() throws {
        host.add(RoomKind.self, at: .literal("a"))
        host.add(RoomKind.self, at: .literal("b"))
        _ = fixture.snapshot(id(1, 2))
        _ = fixture.snapshot(id(2, 3))
        _ = fixture.takeEntries()
        for json in [#"{"shout":{}}"#, #"{"paint":{"colour":"red"}}"#] {
            try fixture.send(json, to: id(1, 2))
            try fixture.send(json, to: id(2, 3))
        }
        #expect(
            fixture.takeEntries() == [
                #"{"shouted":{}} …"#, #"{"shouted":{}} …"#, #"{"colour":{"text":"red"}}"#,
                #"{"colour":{"text":"red"}}"#,
            ])
    }

    @Test func `an event that JSON cannot express is not emitted, and reported`() throws {
        host.add(RoomKind.self, at: .literal("a"))
        _ = fixture.takeEntries()
        try fixture.send(#"{"measure":{}}"#, to: id(1, 2))
        try fixture.send(#"{"shout":{}}"#, to: id(1, 2))
        #expect(fixture.takeEntries() == [#"{"shouted":{}}"#])
        #expect(host.takeFaults() == ["cannot encode area of a as JSON"])
    }

    // MARK: Reading events

    private func refusal(_ json: String, of kind: String = "room") -> WireError? {
        do {
            try fixture.decode(json, for: kind)
            return nil
        } catch {
            return error as? WireError
        }
    }

    @Test func `a host reads an event for a kind, and reports its mistakes`() {
        #expect(refusal(#"{"shout":{}}"#) == nil)
        #expect(refusal(#""shout""#) == nil)
        #expect(
            refusal(#"{"shuot":{}}"#)
                == WireError(
                    .unknownEvent, "`room` has no event `shuot`", path: "event.shuot",
                    suggestions: ["shout"]))
        #expect(
            refusal(#"{"paint":{"colour":1}}"#)
                == WireError(.badEvent, "expected a text", path: "event.paint.colour"))
        let notOne = WireError(
            .badEvent, "an event is an object with one key, or its bare name", path: "event")
        for json in ["{}", "[]", "1", #"{"shout":{},"leave":{}}"#] {
            #expect(refusal(json) == notOne)
        }
        #expect(refusal(#"{"x":{}}"#, of: "hall")?.code == .unknownEvent)
    }

    // MARK: Time

    @Test func `a host has one clock, and returns a requested advance once`() {
        #expect(host.clock === host.timeline)
        #expect(host.takeAdvance() == nil)
        host.advance(by: .seconds(2))
        #expect(host.takeAdvance() == .seconds(2))
        #expect(host.takeAdvance() == nil)
        let timeline = Timeline(now: Instant(microseconds: 5))
        #expect(Host(timeline: timeline).clock.now.microseconds == 5)
    }
}
