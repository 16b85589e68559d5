import BusdHosting
import BusdProtocol
import BusdTestKit
import Testing

import enum BusdProtocol.Delivery

/// A jar that holds 2 marbles, and refuses more.
private enum Jar: ViewModelKind {
    static let name = "jar"
    static let marbles = Limit("marbles", most: 2)
    static let limits = [marbles]

    enum ViewEvent: WireEvent {
        case put(marbles: Int)

        static let examples: [Self] = [.put(marbles: 1)]
    }

    enum ViewModelEvent: WireEvent {
        case marbles(count: Int)

        var delivery: Delivery { .latest }

        static let examples: [Self] = [.marbles(count: 1)]
    }
}

private final class JarViewModel: HostedViewModel {
    typealias Kind = Jar
    static let placement = Placement.onDemand

    let output = Output<Jar.ViewModelEvent>()
    private var count = 0

    init(at address: Address, services: Void) {}

    func start() { output.send(.marbles(count: count)) }

    func refusal(of event: Jar.ViewEvent) -> Refusal? {
        guard case .put(let marbles) = event, count + marbles > 2 else { return nil }
        if marbles > 5 {
            return .badEvent("a hand has at most 5", at: "marbles", limit: Jar.marbles)
        }
        if marbles == 5 { return Refusal(.badEvent, "five is not allowed") }
        return .overloaded("a jar has at most 2 marbles", limit: Jar.marbles)
    }

    func handle(event: Jar.ViewEvent) {
        guard case .put(let marbles) = event else { return }
        count += marbles
        output.send(.marbles(count: count))
    }
}

@Suite struct `An event that its view model refuses` {
    private let bus = TestBus { $0.register(JarViewModel.self) }
    private let client: TestConnection
    private let refusal =
        #"{"error":{"code":"overloaded","message":"a jar has at most 2 marbles (limit marbles)"}"#

    init() {
        client = bus.connect()
        client.send("subscribe jar/a", #"send jar/a put {"marbles":1}"#)
        _ = client.takeLines()
    }

    @Test func `A refused event is answered with the refusal and changes nothing`() {
        client.send(
            #"{"op":"send","to":"jar/a","event":{"put":{"marbles":2}},"id":1}"#,
            #"send jar/a put {"marbles":2}"#, "get jar/a")
        client.expect(
            refusal + #","id":1}"#, refusal + "}",
            #"{"ok":{"address":"jar/a","cursor":"…:1","done":"…","events":[{"marbles":{"count":1}}]}}"#
        )
    }

    @Test func `A refused event does not use up its key, so a retry may succeed`() {
        func send(_ marbles: Int) {
            client.send(
                #"{"op":"send","to":"jar/b","event":{"put":{"marbles":\#(marbles)}},"key":"k","id":2}"#
            )
        }
        send(3)
        client.expect(refusal + #","id":2}"#)
        send(2)
        client.expect(#"{"ok":{"seq":[1,1],"changed":true},"id":2}"#)
    }

    @Test func `A bad event is refused with the place of the value`() {
        client.send(#"send jar/a put {"marbles":6}"#, #"send jar/a put {"marbles":5}"#)
        client.expect(
            #"{"error":{"code":"badEvent","message":"…","path":"event.put.marbles"}}"#,
            #"{"error":{"code":"badEvent","message":"…","path":"event.put"}}"#)
    }

    @Test func `A describe shows the limits of a kind`() {
        client.send("describe jar")
        client.expect(#"{"ok":{"kind":"jar",…,"limits":{"marbles":2}}}"#)
    }
}
