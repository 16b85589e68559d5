import BusdHosting
import BusdProtocol
import BusdTestKit
import Synchronization
import Testing

/// A kind with an event in each direction that its `examples` lack.
private enum Lamp: ViewModelKind {
    static let name = "lamp"

    enum ViewEvent: WireEvent {
        case press
        case dim(percent: Int)

        static let examples: [Self] = [.press]
    }

    enum ViewModelEvent: WireEvent {
        case pressed
        case brightness(percent: Int)

        static let examples: [Self] = [.pressed]
        var delivery: Delivery { .latest }
    }
}

private final class LampViewModel: HostedViewModel {
    typealias Kind = Lamp
    static let placement = Placement.onDemand

    let output = Output<Lamp.ViewModelEvent>()

    init(at address: Address, services: Void) {}

    func start() { output.send(.brightness(percent: 100)) }

    func handle(event: Lamp.ViewEvent) {
        switch event {
        case .press: output.send(.pressed)
        case .dim(let percent): output.send(.brightness(percent: percent))
        }
    }
}

@Suite struct MissingExampleTests {
    private let brightness =
        "the kind 'lamp' has no example of brightness: add one to ViewModelEvent.examples"

    /// The texts of the issues that the body records.
    private func issues(_ body: () -> Void) -> [String] {
        let texts = Mutex<[String]>([])
        withKnownIssue {
            body()
        } matching: { issue in
            texts.withLock { $0 += issue.comments.map(\.rawValue) }
            return true
        }
        return texts.withLock { $0 }
    }

    @Test func `An event without an example is reported once when it is first shown`() {
        let texts = issues {
            let bus = TestBus { $0.register(LampViewModel.self) }
            let client = bus.connect()
            client.send("get lamp/a")
            client.send("get lamp/b")
            _ = client.takeLines()
        }
        #expect(texts == [brightness])
    }

    @Test func `A view event without an example is unknown, and reported once if it can be read`() {
        let texts = issues {
            let bus = TestBus { $0.register(LampViewModel.self) }
            let client = bus.connect()
            for _ in 0..<2 {
                client.send(#"send lamp/a dim {"percent":"much"}"#)
                client.send(#"send lamp/a drop {}"#)
                client.send(#"send lamp/a dim {"percent":5}"#)
                let lines = client.takeLines()
                #expect(lines.count == 3)
                #expect(lines.allSatisfy { $0.contains(#""code":"unknownEvent""#) }, "\(lines)")
            }
        }
        #expect(
            texts == ["the kind 'lamp' has no example of dim: add one to ViewEvent.examples"])
    }

    @Test func `A subscription that names an event without an example is refused`() {
        let bus = TestBus { $0.register(LampViewModel.self) }
        let client = bus.connect()
        client.send(#"{"op":"subscribe","to":"lamp/*","only":["brightness"]}"#)
        client.expect(
            #"{"error":{"code":"unknownEvent","message":"no kind has an event `brightness`","#
                + #""path":"only"}}"#)
    }

    @Test func `A recording view reports each event without an example once`() {
        let texts = issues {
            let view = RecordingView(LampViewModel(at: .literal("lamp/a"), services: ()))
            view.expect(.brightness(percent: 100))
            view.send(.dim(percent: 5))
            view.send(.dim(percent: 6))
            view.expect(.brightness(percent: 5), .brightness(percent: 6))
        }
        #expect(
            texts == [
                "there is no example of brightness: add one to ViewModelEvent.examples",
                "there is no example of dim: add one to ViewEvent.examples",
            ])
    }
}
