import BusdProtocol
import BusdTestKit
import Testing

/// `ListOutput`, `ThingRows` and `ThingViewModels`: a list of piles.
struct ThingListTests {
    private let fixture = LibraryFixture.fast()

    @Test func `A list is shown whole at first, then by edits`() {
        let view = PilesView()
        let list = ListOutput(view.output, { .piles(piles: $0) }, edited: { .edited(edits: $0) })
        list.apply(.insert(at: 0, row: "1: 5"))
        view.expect([])
        list.show(["1: 5"])
        view.expect([.piles(piles: ["1: 5"])])
        list.show(["1: 5"])
        view.expect([])
        list.show(["1: 6", "2: 0"])
        view.expect([.edited(edits: [.update(at: 0, row: "1: 6"), .insert(at: 1, row: "2: 0")])])
        list.apply(.delete(at: 0))
        view.expect([.edited(edits: [.delete(at: 0)])])
        list.apply(.delete(at: 1))
        view.expect([])
        #expect(view.output.current == [.piles(piles: ["2: 0"])])
        #expect(list.rows == ["2: 0"])
    }

    @Test func `The rows follow the things, in the order of the library`() throws {
        let view = shown(.ofLibrary, ["1: 5", "2: 7"])
        fixture.create(1, 2)
        view.expect([.edited(edits: [.insert(at: 2, row: "3: 3")])])
        try fixture.move(3, to: 0)
        view.expect([.edited(edits: [.move(from: 2, to: 0)])])
        try fixture.propose(.put(4), to: 1)
        view.expect([.edited(edits: [.update(at: 1, row: "1: 9")])])
        try fixture.propose(.put(0), to: 1)
        view.expect([])
        try fixture.delete(1)
        view.expect([.edited(edits: [.delete(at: 1)])])
        #expect(view.output.current == [.piles(piles: ["3: 3", "2: 7"])])
    }

    @Test func `The rows follow the things, the newest first`() throws {
        let view = shown(.newestFirst, ["2: 7", "1: 5"])
        fixture.create(1, 2)
        view.expect([.edited(edits: [.insert(at: 0, row: "3: 3")])])
        try fixture.move(3, to: 0)
        view.expect([])
        try fixture.propose(.put(4), to: 1)
        view.expect([.edited(edits: [.update(at: 2, row: "1: 9")])])
        try fixture.delete(2)
        view.expect([.edited(edits: [.delete(at: 1)])])
        #expect(view.output.current == [.piles(piles: ["3: 3", "1: 9"])])
    }

    /// A view of the piles 1 and 2, which has got these rows.
    private func shown(
        _ order: ThingRows<Pile, String, PilesEvent>.Order, _ rows: [String]
    ) -> PilesView {
        fixture.create(5)
        fixture.create(7)
        let view = PilesView()
        let list = ListOutput(view.output, { .piles(piles: $0) }, edited: { .edited(edits: $0) })
        view.rows = ThingRows(of: fixture.piles, order, on: list) { "\($0): \($1.total)" }
        fixture.piles.changes.bind(view) { $0.rows?.show($1) }
        view.expect([.piles(piles: rows)])
        return view
    }

    @Test func `A thing has view models until it is marked as deleted, and then until it is gone`()
        throws
    {
        fixture.create(5)
        fixture.create(-8_000)
        let directory = RecordingDirectory()
        let services = Services(directory: directory, clock: fixture.time)
        let viewModels = ThingViewModels(of: fixture.piles, [PileKind.self], services) { id, _ in
            Address("\(id.address(of: PileKind.self))/top").map { [(PileTop.self, $0)] } ?? []
        }
        try withExtendedLifetime(viewModels) {
            #expect(directory.names == ["pile/1": "pile", "pile/1/top": "top"])
            try fixture.propose(.put(10_000), to: 2)
            #expect(directory.kinds.count == 4)
            try fixture.propose(.put(-6_000), to: 1)
            #expect(directory.names == ["pile/2": "pile", "pile/2/top": "top"])
            fixture.time.advance(to: Instant(microseconds: 5_995))
            fixture.libraries.settle()
            #expect(fixture.piles.ids.map(\.text) == ["2"])
            try fixture.delete(2)
            #expect(directory.kinds.isEmpty)
        }
    }
}

private enum PilesEvent: WireEvent {
    case piles(piles: [String])
    case edited(edits: [Edit<String>])

    var delivery: Delivery {
        switch self {
        case .piles: .latest
        case .edited: .every
        }
    }

    static let examples: [Self] = [.piles(piles: []), .edited(edits: [])]
}

private enum PileKind: ViewModelKind {
    enum ViewEvent: NoEvent {}
    typealias ViewModelEvent = PilesEvent
    static let name = "pile"
}

private enum PileTop: ViewModelKind {
    enum ViewEvent: NoEvent {}
    typealias ViewModelEvent = PilesEvent
    static let name = "top"
}

private struct Services: HasDirectory, HasClock {
    let directory: any Directory
    let clock: any Clock
}

/// Notes the events of an output.
private final class PilesView {
    let output = Output<PilesEvent>()
    var rows: ThingRows<Pile, String, PilesEvent>?
    private var events: [PilesEvent] = []

    init() { output.bind(self) { $0.events.append($1) } }

    func expect(
        _ expected: [PilesEvent], sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(events == expected, sourceLocation: sourceLocation)
        events = []
    }
}

extension RecordingDirectory {
    fileprivate var names: [String: String] {
        Dictionary(uniqueKeysWithValues: kinds.map { ($0.key.text, $0.value) })
    }
}
