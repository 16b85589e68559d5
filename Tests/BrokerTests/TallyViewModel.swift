import BusdBroker
import BusdHosting
import BusdProtocol
import BusdTestKit

/// A durable kind for tests: counts, and its counts are on a disk that the test plays.
enum Tally: ViewModelKind {
    static let name = "tally"

    enum ViewEvent: WireEvent {
        case add(Int)
        case open(String)
        case close(String)
        /// Adds to a part, whether or not that is awake.
        case give(String, Int)

        static let examples: [Self] = [.add(1), .open("b"), .close("b"), .give("b", 1)]
    }

    enum ViewModelEvent: WireEvent {
        case count(Int)
        /// What a clock says: it is on no disk.
        case time(Int)
        var delivery: Delivery { .latest }
        static let examples: [Self] = [.count(1), .time(1)]
    }
}

/// The disk: what is on it, what has changed since, and what the commits under way cover.
final class TallyDisk: Journal {
    private(set) var counts: [Address: Int] = [.literal("tally"): 0]
    private(set) var onDisk: [Address: Int] = [.literal("tally"): 0]
    /// The oldest first.
    private var flying: [(counts: [Address: Int], opened: Set<Address>)] = []
    /// Every part that has ever been opened: an address is never used again.
    private var opened: Set<Address> = []
    private var openedOnDisk: Set<Address> = []
    private var hasChanged = false
    private var isDirty = false
    private(set) var commits = 0
    private var keysOnDisk: [Address: [(key: String, answer: ClosedRange<Int>?)]] = [:]
    /// What it reports as done in memory, each time that it is asked.
    var work = 0
    var taken: [() -> Void] = []
    /// What is made of the count at each address shows it again.
    var shows: [Address: () -> Void] = [:]
    /// Whether a tally shows a time, too, and how that of each address is told.
    var hasClocks = false
    var clocks: [Address: (Int) -> Void] = [:]
    /// Whether a tally is the same when it is made anew, and how often one has been made.
    var canSleep = false
    var made = 0
    weak var directory: (any Directory)?

    func set(_ address: Address, _ count: Int?) {
        counts[address] = count
        hasChanged = true
        isDirty = true
    }

    func takeChanged() -> Bool {
        defer { hasChanged = false }
        return hasChanged
    }

    func takeWork() -> Int { work }

    var hasChanges: Bool { isDirty }

    func asOnDisk(_ address: Address, _ make: () -> Void, then: (Int?) -> Void) {
        guard var last = onDisk[address] else { return make() }
        let now = counts[address]
        counts[address] = last
        make()
        let steps = flying.enumerated().map { ($0 as Int?, $1.counts[address]) } + [(nil, now)]
        for case (let commit, let count?) in steps where count != last {
            counts[address] = count
            shows[address]?()
            then(commit)
            last = count
        }
        counts[address] = now
    }

    func commit() {
        commits += 1
        isDirty = false
        flying.append((counts, opened))
    }

    var hasCommits: Bool { !flying.isEmpty }

    /// The commit that has the last change of what is at the address, counted from the oldest that
    /// is under way: the one behind them is the next. `nil` where all of it is on disk.
    func lastChange(of address: Address) -> Int? {
        let steps = ([onDisk] + flying.map(\.counts) + [counts]).map { $0[address] }
        return (1..<steps.count).last { steps[$0] != steps[$0 - 1] }.map { $0 - 1 }
    }

    /// The oldest commit.
    func succeed() {
        (onDisk, openedOnDisk) = flying.removeFirst()
    }

    /// Returns false where the part has been opened before.
    func open(_ address: Address) -> Bool {
        guard opened.insert(address).inserted else { return false }
        set(address, 0)
        return true
    }

    func rollBack() {
        for address in counts.keys where onDisk[address] == nil { directory?.remove(address) }
        for address in onDisk.keys where counts[address] == nil {
            directory?.add(Tally.self, at: address)
        }
        counts = onDisk
        opened = openedOnDisk
        flying = []
        isDirty = false
        for tell in taken { tell() }
    }

    func remember(key: String, of address: Address, answer: ClosedRange<Int>?) {
        keysOnDisk[address, default: []].append((key, answer))
        // What is remembered before there is a bus is on the disk already.
        isDirty = isDirty || directory != nil
    }

    enum Reading {
        case atOnce
        case slow
        case failing
    }

    var reading = Reading.atOnce
    private(set) var recalls = 0

    func recallKeys(of address: Address) -> Recall {
        recalls += 1
        switch reading {
        case .atOnce: return .keys(keysOnDisk[address] ?? [])
        case .slow: return .underWay
        case .failing: return .failed
        }
    }
}

final class TallyViewModel: DurableViewModel {
    typealias Kind = Tally
    static let placement = Placement.fixed(.literal("tally"))

    let output = Output<Tally.ViewModelEvent>()
    private let address: Address
    private let disk: TallyDisk

    init?(at address: Address, services: TallyDisk) {
        self.address = address
        disk = services
        disk.made += 1
        disk.taken.append { [weak self] in self?.show() }
        disk.shows[address] = { [weak self] in self?.show() }
        disk.clocks[address] = { [weak self] time in self?.tell(time) }
    }

    private var time = 0

    var canSleep: Bool { disk.canSleep && time == 0 }

    func start() {
        show()
        if disk.hasClocks { tell(0) }
    }

    func takeBack(to shown: [Tally.ViewModelEvent]) {
        for case .time(let time) in shown { tell(time) }
    }

    private func tell(_ time: Int) {
        self.time = time
        output.send(.time(time))
    }

    /// What is done to parts is done to the whole.
    static func thing(at address: Address) -> Address { .literal("tally") }

    func handle(event: Tally.ViewEvent) { _ = changes(handling: event) }

    /// A part that sleeps shows nothing of what it is given.
    func changes(handling event: Tally.ViewEvent) -> Bool {
        defer { show() }
        switch event {
        case .add(let number): disk.set(address, (disk.counts[address] ?? 0) + number)
        case .open(let name): return open(name)
        case .close(let name):
            guard let part = address.appending(name), disk.counts[part] != nil else { return false }
            disk.set(part, nil)
            disk.directory?.remove(part)
        case .give(let name, let number):
            guard let part = address.appending(name), let count = disk.counts[part] else {
                return false
            }
            disk.set(part, count + number)
            disk.shows[part]?()
        }
        return true
    }

    private func open(_ name: String) -> Bool {
        guard let part = address.appending(name), disk.open(part) else { return false }
        disk.directory?.add(Tally.self, at: part)
        return true
    }

    private func show() { output.send(.count(disk.counts[address] ?? 0)) }
}

extension TestBus {
    /// A bus with tallies on that disk.
    static func tally(
        on disk: TallyDisk, limits: Limits = Limits(), also register: (Host) -> Void = { _ in }
    ) -> TestBus {
        TestBus(limits: limits, journal: disk) { host in
            disk.directory = host
            host.register(TallyViewModel.self, services: disk)
            register(host)
        }
    }
}
