import BusdBroker
import BusdHosting
import BusdProtocol
import BusdTestKit
import Testing

import enum BusdProtocol.Delivery

/// A durable kind for tests: `tally` counts, and so does each of its parts, such as `tally/b`.
enum Tally: ViewModelKind {
    static let name = "tally"

    enum ViewEvent: WireEvent {
        case add(Int)
        case open(String)
        case close(String)
        /// Adds to a part, whether or not the part is awake.
        case give(String, Int)

        static let examples: [Self] = [.add(1), .open("b"), .close("b"), .give("b", 1)]
    }

    enum ViewModelEvent: WireEvent {
        case count(Int)
        var delivery: Delivery { .latest }
        static let examples: [Self] = [.count(1)]
    }
}

/// One of the counts. The whole has the id `.`, and no name in its address.
struct TallyCount: Thing {
    enum Action: Codable {
        case open
        case add(Int)
    }

    typealias ID = ExactText

    static let kind = "tally"
    static let whole: ExactText = "."
    static let initial: TallyCount? = TallyCount()

    var count = 0
    private var isOpen = false

    mutating func apply(_ action: Action, at time: Instant) -> Bool {
        switch action {
        case .open:
            guard !isOpen else { return false }
            isOpen = true
        case .add(let number): count += number
        }
        return true
    }
}

/// What the tallies of a test share.
final class TallyServices {
    let library: Library<TallyCount>
    weak var directory: (any Directory)?
    /// Whether a tally may be released, and how many have been made.
    var canSleep = false
    var made = 0

    /// Must be called after the kind has been registered.
    func open(_ host: Host) {
        directory = host
        for part in library.ids { add(part) }
        library.changes.bind(self) { $0.keepDirectory($1) }
    }

    init(_ host: Host) { library = Library(host.libraries) }

    private func keepDirectory(_ change: LibraryChange<TallyCount>) {
        switch change {
        case .created(let id, _): add(id)
        case .deleted(let id): if let part = address(of: id) { directory?.remove(part) }
        case .changed, .moved: break
        }
    }

    private func add(_ id: ExactText) {
        if let part = address(of: id) { directory?.add(Tally.self, at: part) }
    }

    private func address(of id: ExactText) -> Address? {
        id == TallyCount.whole ? nil : Address.literal("tally").appending(id.text)
    }
}

final class TallyViewModel: DurableViewModel {
    typealias Kind = Tally
    static let placement = Placement.fixed(.literal("tally"))

    let output = Output<Tally.ViewModelEvent>()
    private let id: ExactText
    private let world: TallyServices
    private var isWhole: Bool { id == TallyCount.whole }

    init?(at address: Address, services: TallyServices) {
        world = services
        id = address.segments.count == 1 ? TallyCount.whole : ExactText(address.name)
        world.made += 1
    }

    /// Changes of a part count as changes of the whole.
    static func thing(at address: Address) -> Address { .literal("tally") }

    var subject: Subject { isWhole ? world.library.subject : world.library.subject(id) }
    var canSleep: Bool { world.canSleep }

    func start() {
        world.library.follow(id).bind(self) { tally, _ in tally.show() }
        show()
    }

    func handle(event: Tally.ViewEvent) {
        switch event {
        case .add(let number): world.library.propose(.add(number), to: id)
        case .open(let name): world.library.propose(.open, to: ExactText(name))
        case .close(let name): world.library.delete(ExactText(name))
        case .give(let name, let number):
            guard world.library.contains(ExactText(name)) else { return }
            world.library.propose(.add(number), to: ExactText(name))
        }
    }

    deinit { world.library.unfollow(id) }

    private func show() { output.send(.count(world.library[id]?.count ?? 0)) }
}

/// A bus with tallies. The test acts as the log.
final class TallyFixture {
    let log: TestLog
    let bus: TestBus
    private(set) var world: TallyServices?

    init(
        log: TestLog = TestLog(), limits: Limits = Limits(), content: LogContent = LogContent(),
        also register: (Host) -> Void = { _ in }
    ) {
        self.log = log
        var made: TallyServices?
        bus = TestBus(limits: limits, log: log, content: content) { host in
            let world = TallyServices(host)
            host.register(TallyViewModel.self, services: world)
            world.open(host)
            register(host)
            made = world
        }
        world = made
    }

    func connect() -> TestConnection { bus.connect() }

    /// The oldest commit succeeds.
    func succeed() {
        log.succeed()
        bus.logReported()
    }

    /// The oldest commit fails.
    func fail() {
        log.fail()
        bus.logReported()
    }

    func count(_ name: ExactText = TallyCount.whole) -> Int? { world?.library[name]?.count }
}
