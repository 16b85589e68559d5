import BusdHosting
import BusdProtocol
import Testing

import enum BusdProtocol.Delivery

@testable import BusdBroker

// View models of each placement, for tests of the host.

enum RoomKind: ViewModelKind {
    static let name = "room"

    enum ViewEvent: WireEvent {
        case paint(colour: String)
        case shout
        case measure
        case leave

        static let examples: [Self] = [.paint(colour: "red"), .shout, .measure, .leave]
    }

    enum ViewModelEvent: WireEvent {
        case colour(text: String)
        case shouted
        case area(metres: Double)

        var delivery: Delivery {
            switch self {
            case .colour: .latest
            case .shouted: .every
            case .area(let metres): metres.isNaN ? .every : .latest
            }
        }

        static let examples: [Self] = [.colour(text: "red"), .shouted, .area(metres: 1.5)]
    }
}

enum HallKind: ViewModelKind {
    static let name = "hall"

    enum ViewEvent: WireEvent {
        case open
        case paint(colour: String)

        static let examples: [Self] = [.open, .paint(colour: "red")]
    }

    enum ViewModelEvent: WireEvent, NoEvent {}
}

enum CellKind: ViewModelKind {
    static let name = "cell"
    static let formerNames: KeyValuePairs = ["dye": "paint"]
    typealias ViewEvent = RoomKind.ViewEvent
    typealias ViewModelEvent = RoomKind.ViewModelEvent
}

/// The services of the rooms.
final class RoomServices {
    weak var directory: (any Directory)?
    /// The addresses of view models that were made, and that were released.
    var made: [String] = []
    var released: [String] = []
    var started: [String] = []
}

class AnyRoom {
    let output = Output<RoomKind.ViewModelEvent>()
    let address: Address
    let services: RoomServices

    init(_ address: Address, _ services: RoomServices) {
        self.address = address
        self.services = services
        services.made.append(address.text)
    }

    deinit { services.released.append(address.text) }

    func start() {
        services.started.append(address.text)
        output.send(.colour(text: "white"))
        output.send(.shouted)
    }

    func handle(event: RoomKind.ViewEvent) {
        switch event {
        case .paint(let colour): output.send(.colour(text: colour))
        case .shout: output.send(.shouted)
        case .measure: output.send(.area(metres: .nan))
        case .leave: services.directory?.remove(address)
        }
    }
}

final class RoomViewModel: AnyRoom, HostedViewModel {
    typealias Kind = RoomKind
    static let placement = Placement.added

    /// There is no room 13.
    init?(at address: Address, services: RoomServices) {
        guard address.name != "13" else { return nil }
        super.init(address, services)
    }
}

final class CellViewModel: AnyRoom, HostedViewModel {
    typealias Kind = CellKind
    static let placement = Placement.onDemand

    init?(at address: Address, services: RoomServices) {
        guard address.name != "13" else { return nil }
        super.init(address, services)
    }
}

final class HallViewModel: HostedViewModel {
    typealias Kind = HallKind
    static let placement = Placement.fixed(.literal("hall"))

    let output = Output<HallKind.ViewModelEvent>()
    private let services: RoomServices

    init(at address: Address, services: RoomServices) {
        self.services = services
        services.made.append(address.text)
    }

    func start() { services.directory?.add(RoomKind.self, at: .literal("hall/closet")) }

    func handle(event: HallKind.ViewEvent) {
        switch event {
        case .open: services.directory?.add(RoomKind.self, at: .literal("hall/1"))
        case .paint: break
        }
    }
}

/// A host with the kinds of this file.
struct HostFixture {
    let host = Host()
    let services = RoomServices()

    init() {
        services.directory = host
        host.register(RoomViewModel.self, services: services)
        host.register(HallViewModel.self, services: services)
        host.register(CellViewModel.self, services: services)
    }

    /// What is new in the outbox since the last call, one entry per line.
    func takeEntries() -> [String] {
        var lines: [String] = []
        while let entry = host.outbox.take() { lines.append(text(of: entry)) }
        return lines
    }

    private func text(of entry: Outbox.Entry) -> String {
        switch entry {
        case .arrived(let place):
            let arrival = host.outbox.arrival(place)
            return "+ \(arrival.address) \(host.kinds[arrival.kind].name)"
                + (arrival.isOnDemand ? " on demand" : "")
        case .emitted(let event):
            var json: [UInt8] = []
            json.append(addingCapacity: event.length) { host.outbox.append(event, to: &$0) }
            return String(decoding: json, as: UTF8.self) + (event.hasMore ? " …" : "")
        case .removed(let address): return "- \(address)"
        case .ended(let model): return "- \(model.slot)"
        case .advanced(let span): return "clock + \(span)"
        case .policyChanged(let policy, _): return "policy of \(policy.rules.count) rules"
        }
    }

    /// Makes the view model at an address, in the slot that nothing else has yet.
    @discardableResult
    func make(_ text: String, _ kind: String = "room") throws -> ModelID? {
        let number = services.made.count
        let id = ModelID(slot: number, number: UInt32(number))
        let isMade = host.make(
            id, try #require(host.kinds.find(kind)), at: try #require(Address(text)))
        return isMade ? id : nil
    }

    func snapshot(_ id: ModelID) -> [String] {
        host.snapshot(of: id) { .none }.events.map { String(decoding: $0, as: UTF8.self) }
    }

    @discardableResult
    func decode(_ json: String, for kind: String) throws -> DecodedEvent {
        let document = JSONDocument()
        try document.read(Array(json.utf8))
        guard let root = document.root, let kind = host.kinds.find(kind) else {
            throw WireError(.parse, "there is no such kind, or no event")
        }
        return try host.kinds[kind].decode(root)
    }

    func send(_ json: String, to id: ModelID) throws {
        let event = try decode(json, for: "room")
        _ = try host.handle(event, at: id, from: Sender(connection: 1, uid: 1000))
    }
}

extension BusReport {
    static let none = BusReport(
        connections: 0, viewModels: 0, events: 0, deliveries: 0, gaps: 0)
}
