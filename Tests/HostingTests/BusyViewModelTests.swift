import BusdHosting
import BusdProtocol
import BusdTestKit
import Testing

import enum BusdProtocol.Delivery

/// A view model on demand that works although no client uses it.
@Suite struct BusyViewModelTests {
    private let bus = TestBus { host in
        host.register(WorkerViewModel.self)
        host.register(OwnWorkerViewModel.self)
    }

    @Test(arguments: ["worker", "own-worker"])
    func `A busy view model does not end before its work is done`(kind: String) {
        let client = bus.connect()
        client.send("send \(kind)/a work")
        bus.advance(by: .seconds(600))
        client.send("list \(kind)/*")
        client.expect(
            #"{"ok":{"viewModels":[{"address":"\#(kind)/a","kind":"\#(kind)","views":0,"seq":1}]}}"#
        )
        client.send("send \(kind)/a stop")
        bus.advance(by: .seconds(59))
        client.send("list \(kind)/*")
        client.expect(
            #"{"ok":{"viewModels":[{"address":"\#(kind)/a","kind":"\#(kind)","views":0,"seq":2}]}}"#
        )
        bus.advance(by: .seconds(1))
        client.send("list \(kind)/*")
        client.expect(#"{"ok":{"viewModels":[]}}"#)
    }

    @Test func `A busy view model ends with the connection that owns it`() {
        let client = bus.connect()
        client.send("send own-worker/a work")
        client.disconnect()
        let other = bus.connect()
        other.send("list own-worker/*")
        other.expect(#"{"ok":{"viewModels":[]}}"#)
    }
}

private enum Worker: ViewModelKind {
    static let name = "worker"

    enum ViewEvent: WireEvent {
        case work
        case stop

        static let examples: [Self] = [.work, .stop]
    }

    enum ViewModelEvent: WireEvent {
        case working(isWorking: Bool)

        var delivery: Delivery { .latest }

        static let examples: [Self] = [.working(isWorking: true)]
    }
}

private final class WorkerViewModel: HostedViewModel {
    typealias Kind = Worker

    static let placement = Placement.onDemand

    let output = Output<Worker.ViewModelEvent>()
    private(set) var isBusy = false

    init(at address: Address, services: Void) {}

    func start() { output.send(.working(isWorking: isBusy)) }

    func handle(event: Worker.ViewEvent) {
        isBusy = event == .work
        output.send(.working(isWorking: isBusy))
    }
}

private enum OwnWorker: ViewModelKind {
    static let name = "own-worker"
    typealias ViewEvent = Worker.ViewEvent
    typealias ViewModelEvent = Worker.ViewModelEvent
}

private final class OwnWorkerViewModel: HostedViewModel {
    typealias Kind = OwnWorker

    static let placement = Placement.perConnection

    let output = Output<Worker.ViewModelEvent>()
    private(set) var isBusy = false

    init(at address: Address, services: Void) {}

    func start() { output.send(.working(isWorking: isBusy)) }

    func handle(event: Worker.ViewEvent) {
        isBusy = event == .work
        output.send(.working(isWorking: isBusy))
    }
}
