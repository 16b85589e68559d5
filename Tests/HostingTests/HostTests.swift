import BusdBroker
import BusdHosting
import BusdProtocol
import Testing

@Suite struct HostTests {
    let fixture = HostFixture()
    var host: Host { fixture.host }
    var services: RoomServices { fixture.services }

    // MARK: Kinds

    @Test func `A host knows its kinds by their names, in the order of registration`() throws {
        #expect(host.kinds.names == ["room", "hall", "cell"])
        let room = host.kinds[try #require(host.kinds.find("room"))]
        #expect(room.name == "room")
        #expect(host.kinds.find("Room") == nil)
        #expect(!room.traits.contains(.durable))
        let description = room.description()
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
    func `A host refuses a kind with an invalid or taken name`(name: String, problem: String) {
        NamedKind.$current.withValue((name, .onDemand)) {
            host.register(NamedViewModel.self)
            #expect(host.problems == [problem])
            #expect(host.kinds.names == ["room", "hall", "cell"])
        }
    }

    private static let rule = "letters, digits, '.', '_' and '-', without '.' in front"

    @Test(arguments: [
        ("bus/mine", "addresses that begin with bus are reserved"), ("hall", "another kind has it"),
    ])
    func `A kind with a reserved or taken address is refused`(text: String, reason: String) throws {
        let address = try #require(Address(text))
        NamedKind.$current.withValue(("mine", .fixed(address))) {
            host.register(NamedViewModel.self)
            #expect(
                host.problems == [
                    "the kind 'mine' needs another address than \(text): \(reason)"
                ])
        }
    }

    @Test func `A view model of an unknown kind is not added, and reported`() throws {
        let address = try #require(Address("mine/a"))
        host.add(NamedKind.self, at: address)
        #expect(host.takeFaults() == ["cannot add mine/a: the kind 'mine' is not registered"])
        #expect(fixture.takeEntries() == [])
    }

    /// Clients would be informed that it survives the daemon, although nothing stores it.
    @Test func `A view model of another package cannot declare itself durable by a property`()
        throws
    {
        host.register(Eternal.self)
        let kind = try #require(host.kinds.find("eternal"))
        #expect(!host.kinds[kind].traits.contains(.durable))
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

    // MARK: Kinds and addresses

    @Test func `The kinds know which view models are always there, and which are made on demand`()
        throws
    {
        #expect(host.kinds.fixed.map(\.address.text) == ["hall"])
        #expect(host.kinds.find(onDemand: .literal("cell/2")) == host.kinds.find("cell"))
        for text in ["cell", "cell/1/2", "room/1", "hall/1", "nothing/1"] {
            #expect(host.kinds.find(onDemand: try #require(Address(text))) == nil)
        }
    }

    @Test func `A former name of an event is known with the event`() {
        let former = host.sendableEvents.filter { !$0.formerNames.isEmpty }
        #expect(former.map(\.name) == ["paint"] && former.map(\.formerNames) == [["dye"]])
    }

    @Test func `What view models want of the directory waits in the outbox`() throws {
        try fixture.make("hall", "hall")
        host.remove(.literal("hall/closet"))
        #expect(fixture.takeEntries() == ["+ hall/closet room", "- hall/closet"])
    }

    // MARK: View models in memory

    @Test func `A view model is made and started once, and its first events are its snapshot`()
        throws
    {
        let closet = try #require(try fixture.make("hall/closet"))
        #expect(host.isAwake(closet))
        #expect(fixture.takeEntries() == [])
        for _ in 0..<2 {
            #expect(fixture.snapshot(closet) == [#"{"colour":{"text":"white"}}"#])
        }
        #expect(services.made == ["hall/closet"])
        #expect(services.started == ["hall/closet"])
        try fixture.send(#"{"paint":{"colour":"red"}}"#, to: closet)
        #expect(fixture.takeEntries() == [#"{"colour":{"text":"red"}}"#])
        #expect(fixture.snapshot(closet) == [#"{"colour":{"text":"red"}}"#])
    }

    @Test func `A view model that refuses its address is not made, and reported unless on demand`()
        throws
    {
        #expect(try fixture.make("cell/13", "cell") == nil)
        #expect(host.takeFaults() == [])
        #expect(try fixture.make("hall/13") == nil)
        #expect(host.takeFaults() == ["cannot make hall/13"])
        #expect(services.made == [])
    }

    @Test func `A view model that has ended is released, and gets and emits nothing`() throws {
        let a = try #require(try fixture.make("a"))
        let b = ModelID(slot: a.slot, number: 7)
        host.remove(b)
        #expect(host.isAwake(a) && services.released == [])
        host.remove(a)
        #expect(!host.isAwake(a) && services.released == ["a"])
        #expect(host.make(b, try #require(host.kinds.find("room")), at: .literal("b")))
        try fixture.send(#"{"shout":{}}"#, to: a)
        #expect(fixture.snapshot(a) == [])
        #expect(fixture.takeEntries() == [])
        try fixture.send(#"{"shout":{}}"#, to: b)
        #expect(fixture.takeEntries() == [#"{"shouted":{}}"#])
    }

    @Test func `A view model can be removed while it handles an event`() throws {
        let a = try #require(try fixture.make("a"))
        try fixture.send(#"{"leave":{}}"#, to: a)
        #expect(fixture.takeEntries() == ["- a"])
        #expect(services.released == [])
    }

    // MARK: Emitted events

    @Test func `All but the last event of a view model's update are marked`() throws {
        let models = try ["a", "b"].map { try #require(try fixture.make($0)) }
        for json in [#"{"shout":{}}"#, #"{"paint":{"colour":"red"}}"#] {
            for model in models { try fixture.send(json, to: model) }
        }
        #expect(
            fixture.takeEntries() == [
                #"{"shouted":{}} …"#, #"{"shouted":{}} …"#, #"{"colour":{"text":"red"}}"#,
                #"{"colour":{"text":"red"}}"#,
            ])
    }

    @Test func `An event that JSON cannot express is not emitted, and reported`() throws {
        let a = try #require(try fixture.make("a"))
        try fixture.send(#"{"measure":{}}"#, to: a)
        try fixture.send(#"{"shout":{}}"#, to: a)
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

    @Test func `A host reads an event for a kind, and reports its mistakes`() {
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

    @Test func `A host has one clock, and puts a move of it into the outbox`() {
        #expect(host.clock === host.timeline)
        // What is due now fires.
        host.outbox.advance(by: .zero)
        host.outbox.advance(by: .seconds(2))
        host.outbox.advance(by: .seconds(-1))
        #expect(fixture.takeEntries() == ["clock + 0.0 seconds", "clock + 2.0 seconds"])
        let timeline = Timeline(now: Instant(microseconds: 5))
        #expect(Host(timeline: timeline).clock.now.microseconds == 5)
    }
}
