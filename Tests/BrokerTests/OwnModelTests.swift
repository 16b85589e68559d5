import BusdBroker
import BusdEcho
import BusdHosting
import BusdProtocol
import Testing

@testable import BusdTestKit

/// An echo that belongs to one connection, and records the sender of each event.
private final class OwnEcho: HostedViewModel {
    typealias Kind = Echo
    static let placement = Placement.perConnection

    /// The state that the tests inspect.
    final class World {
        weak var senders: (any HasSender & AnyObject)?
        var heard: [Sender?] = []
        var alive: [String] = []
    }

    let output = Output<Echo.ViewModelEvent>()
    private let address: Address
    private let world: World

    init(at address: Address, services: World) {
        self.address = address
        world = services
        world.alive.append(address.text)
    }

    deinit { world.alive.removeAll { $0 == address.text } }

    func handle(event: Echo.ViewEvent) {
        world.heard.append(world.senders?.sender)
        switch event {
        case .say(let text): output.send(.said(text: text))
        }
    }
}

@Suite struct `A view model of one connection` {
    private let world: OwnEcho.World
    private let bus: TestBus
    private let owner: TestConnection
    private let refusal =
        #"{"error":{"code":"notAllowed","message":"echo/x takes events only from the connection "#
        + #"that made it: use another address"}}"#

    init() {
        let world = OwnEcho.World()
        self.world = world
        bus = TestBus { host in
            world.senders = host
            host.register(OwnEcho.self, services: world)
        }
        owner = bus.connect(user: 7)
    }

    @Test(arguments: ["get echo/x", "subscribe echo/x", #"send echo/x say {"text":"x"}"#])
    func `A per-connection view model takes events only from its owner`(first: String) {
        owner.send(first)
        _ = owner.takeLines()
        let other = bus.connect()
        other.send(#"send echo/x say {"text":"forged"}"#, "send echo/x nonsense")
        other.expect(refusal, refusal)
        owner.expectNothing()
        owner.send(#"{"op":"send","to":"echo/x","event":{"say":{"text":"own"}},"id":1}"#)
        #expect(owner.takeLines().last?.hasPrefix(#"{"ok":{"seq":["#) == true)
        #expect(world.heard.last == Sender(connection: 1, uid: 7))
    }

    @Test func `An event that another connection sends in the same turn is refused`() {
        let other = bus.connect()
        let say = Array((#"send echo/x say {"text":"o"}"# + "\n").utf8)
        say.withUnsafeBytes { bus.bus.received($0, on: owner.slot ?? 0) }
        say.withUnsafeBytes { bus.bus.received($0, on: other.slot ?? 0) }
        bus.settle()
        other.expect(refusal)
        #expect(world.heard == [Sender(connection: 1, uid: 7)])
    }

    @Test func `A per-connection view model can be watched by others`() {
        let watcher = bus.connect(throughViewSocket: true)
        watcher.join("echo/*")
        owner.send(#"send echo/x say {"text":"a"}"#)
        watcher.expect(
            #"{"live":"echo/x","cursor":"…:0","done":"…"}"#,
            #"{"from":"echo/x","seq":1,"event":{"said":{"text":"a"}}}"#)
        let other = bus.connect()
        other.send("list echo/*", "get echo/x")
        other.expect(
            #"{"ok":{"viewModels":[{"address":"echo/x","kind":"echo","views":1,"seq":1}]}}"#,
            #"{"ok":{"address":"echo/x","cursor":"…:1","done":"…","events":[]}}"#)
    }

    // MARK: Its end

    @Test func `A per-connection view model ends with its owner, and watchers get gone`() {
        owner.send("subscribe echo/x", #"send echo/y say {"text":"a"}"#)
        _ = owner.takeLines()
        let watcher = bus.connect()
        watcher.send("subscribe echo/x", "subscribe echo/**")
        _ = watcher.takeLines()
        #expect(world.alive.sorted() == ["echo/x", "echo/y"])
        owner.disconnect()
        #expect(world.alive == [])
        watcher.expect(#"{"gone":"echo/x"}"#, #"{"gone":"echo/y"}"#)
        watcher.send(
            "list echo/*", #"{"op":"send","to":"echo/x","event":{"say":{"text":"b"}},"id":1}"#)
        watcher.expect(
            #"{"ok":{"viewModels":[]}}"#, #"{"live":"echo/x","cursor":"…:0","done":"…"}"#,
            #"{"from":"echo/x","seq":1,"cause":{"connection":2,"id":1},"event":{"said":{"text":"b"}}}"#,
            #"{"ok":{"seq":[1,1],"changed":true},"id":1}"#)
    }

    @Test func `A per-connection view model ends when a write to its owner fails`() {
        owner.join("echo/y")
        var other: TestConnection? = bus.connect()
        other?.join("echo/x")
        other?.join("echo/y")
        owner.join("echo/*")
        // The next write to it fails.
        other = nil
        owner.send(#"send echo/y say {"text":"a"}"#)
        #expect(world.alive == ["echo/y"])
        owner.expect(
            #"{"from":"echo/y","seq":1,"event":{"said":{"text":"a"}}}"#, #"{"gone":"echo/x"}"#)
    }

    @Test func `A per-connection view model ends after the answers to a half-closed owner`() {
        let watcher = bus.connect()
        watcher.join("echo/*")
        owner.send(
            bytes: Array(#"{"op":"send","to":"echo/x","event":{"say":{"text":"a"}},"id":1}"#.utf8))
        owner.endInput()
        owner.expect(#"{"ok":{"seq":[1,1],"changed":true},"id":1}"#)
        #expect(owner.isClosed)
        #expect(world.alive == [])
        #expect(watcher.takeLines().last == #"{"gone":"echo/x"}"#)
    }

    @Test func `A per-connection view model stays for a half-closed subscribed owner`() {
        owner.send("subscribe echo/x")
        _ = owner.takeLines()
        owner.endInput()
        #expect(!owner.isClosed)
        #expect(world.alive == ["echo/x"])
    }

    @Test func `A per-connection view model ends after a minute without use by its owner`() {
        owner.send(#"send echo/x say {"text":"a"}"#)
        let watcher = bus.connect()
        watcher.send("subscribe echo/x")
        _ = watcher.takeLines()
        bus.advance(by: .seconds(59))
        watcher.send("get echo/x", "unsubscribe echo/x", "subscribe echo/x")
        _ = watcher.takeLines()
        #expect(world.alive == ["echo/x"])
        bus.advance(by: .seconds(1))
        #expect(world.alive == [])
        watcher.expect(#"{"gone":"echo/x"}"#)
    }

    @Test func `A per-connection view model stays while its owner is subscribed or uses it`() {
        owner.send("subscribe echo/x")
        _ = owner.takeLines()
        bus.advance(by: .seconds(120))
        #expect(world.alive == ["echo/x"])
        owner.send("unsubscribe echo/x")
        bus.advance(by: .seconds(59))
        owner.send("get echo/x")
        _ = owner.takeLines()
        bus.advance(by: .seconds(59))
        #expect(world.alive == ["echo/x"])
        bus.advance(by: .seconds(1))
        #expect(world.alive == [])
    }

    @Test func `A per-connection view model can be made again by another connection`() {
        owner.send(#"send echo/x say {"text":"a"}"#)
        owner.disconnect()
        let other = bus.connect(user: 8)
        other.send(#"send echo/x say {"text":"b"}"#, #"{"op":"list","to":"echo/x"}"#)
        other.expect(
            #"{"ok":{"viewModels":[{"address":"echo/x","kind":"echo","views":0,"seq":1}]}}"#)
        #expect(world.heard.last == Sender(connection: 2, uid: 8))
    }

    @Test func `A per-connection view model is not made through the view socket`() {
        let view = bus.connect(throughViewSocket: true)
        view.send("get echo/x", "subscribe echo/x")
        view.expect(
            #"{"error":{"code":"unknownViewModel",…}}"#, #"{"error":{"code":"unknownViewModel",…}}"#
        )
    }

    // MARK: Limits

    @Test func `A connection has at most four view models of its own`() {
        let tooMany =
            #"{"error":{"code":"overloaded","message":"this connection has 4 view models of its "#
            + #"own: use one of them (limit perConnection)"}}"#
        for number in 1...4 { owner.send("get echo/\(number)") }
        _ = owner.takeLines()
        owner.send("get echo/5", "subscribe echo/5", #"send echo/5 say {"text":"x"}"#)
        owner.expect(tooMany, tooMany, tooMany)
        bus.connect().send(#"send echo/5 say {"text":"x"}"#)
        bus.advance(by: .seconds(60))
        owner.send("get echo/5")
        owner.expect(#"{"ok":{"address":"echo/5",…}}"#)
    }

    @Test func `A per-connection view model does not count for onDemand`() {
        var limits = Limits()
        limits.onDemand = 0
        let bus = TestBus(limits: limits) { $0.register(OwnEcho.self, services: .init()) }
        let client = bus.connect()
        client.send("get echo/x")
        client.expect(#"{"ok":{"address":"echo/x",…}}"#)
    }

    // MARK: The sender

    @Test func `The sender is known only while an event is handled`() {
        owner.send(#"send echo/x say {"text":"a"}"#)
        #expect(world.heard == [Sender(connection: 1, uid: 7)])
        #expect(world.senders?.sender == nil)
    }
}
