import BusdProtocol
import BusdTestKit
import Testing

/// A thing for tests: a stack of numbers.
struct Pile: Thing {
    struct Seed: Codable {
        var numbers: [Int]
    }

    enum Action: Codable {
        case put(Int)
        /// Without effect on an empty pile.
        case clear
        /// Cannot be encoded if the number is not finite.
        case putNothing(Double)
    }

    struct Summary: Codable, Equatable {
        var total: Int
    }

    static let kind = "pile"

    private(set) var numbers: [Int]
    /// The time of the last change, in microseconds.
    private(set) var changed: Int64 = 0

    init(_ seed: Seed) { numbers = seed.numbers }

    mutating func apply(_ action: Action, at time: Instant) -> Bool {
        switch action {
        case .put(let number): numbers.append(number)
        case .clear:
            guard !numbers.isEmpty else { return false }
            numbers = []
        case .putNothing: return false
        }
        changed = time.microseconds
        return true
    }

    var summary: Summary { Summary(total: numbers.reduce(0, +)) }

    static func size(of summary: Summary) -> Int { summary.total }

    static func growth(by action: Action) -> Int {
        if case .put(let number) = action { number } else { 0 }
    }

    /// A pile below zero expires at the time of its absolute value, in microseconds.
    static func expiry(of summary: Summary) -> Instant? {
        summary.total < 0 ? Instant(microseconds: Int64(-summary.total)) : nil
    }
}

/// A named thing. It exists from its first action on.
struct Flag: Thing {
    typealias ID = ExactText

    enum Action: Codable {
        case raise
        case lower
    }

    static let kind = "flag"
    static let keepsHistory = false
    static let initial: Flag? = Flag()

    private(set) var isUp = false

    mutating func apply(_ action: Action, at time: Instant) -> Bool {
        let before = isUp
        switch action {
        case .raise: isUp = true
        case .lower: isUp = false
        }
        return isUp != before
    }
}

/// Libraries of piles and flags, on a log that the test controls.
final class LibraryFixture {
    let time = Timeline(now: Instant(microseconds: 1_000))
    let log: TestLog
    let libraries: Libraries
    let piles: Library<Pile>
    let flags: Library<Flag>
    /// The outcomes of proposals, in order.
    var outcomes: [String] = []

    init(log: TestLog = TestLog(), content: LogContent = LogContent()) {
        self.log = log
        libraries = Libraries(log: log, clock: time, content: content)
        (piles, flags) = (Library(libraries), Library(libraries))
    }

    /// A fixture with a log that commits its entries at once.
    static func fast() -> LibraryFixture {
        let log = TestLog()
        log.isFast = true
        return LibraryFixture(log: log)
    }

    func pile(_ number: Int) -> Pile? { Pile.ID(number).flatMap { piles[$0] } }

    func create(_ numbers: Int...) {
        piles.create(Pile.Seed(numbers: numbers), then: note)
        libraries.settle()
    }

    func propose(_ action: Pile.Action, to number: Int) throws {
        piles.propose(action, to: try #require(Pile.ID(number)), then: note)
        libraries.settle()
    }

    func delete(_ number: Int) throws {
        piles.delete(try #require(Pile.ID(number)), then: note)
        libraries.settle()
    }

    func expire(_ number: Int) throws {
        piles.expire(try #require(Pile.ID(number)), then: note)
        libraries.settle()
    }

    func move(_ number: Int, to place: Int) throws {
        piles.move(try #require(Pile.ID(number)), to: place, then: note)
        libraries.settle()
    }

    func succeed() {
        log.succeed()
        libraries.settle()
    }

    func fail() {
        log.fail()
        libraries.settle()
    }

    /// Runs `body` as the handling of a `send`.
    func send(
        _ key: String? = nil, at address: String = "pile/1", to subject: Subject? = nil,
        isConditional: Bool = false, _ body: () throws -> Void
    ) throws -> SendResult {
        let send = SendContext()
        send.key = try key.map { SendKey($0, at: try #require(Address(address))) }
        send.subject = subject
        send.isConditional = isConditional
        libraries.begin(send)
        try body()
        return libraries.end()
    }

    /// Applies the committed entries. Returns the outcome of each.
    func apply() -> [SendOutcome] {
        var outcomes: [SendOutcome] = []
        while let (_, outcome) = libraries.applyNext() { outcomes.append(outcome) }
        return outcomes
    }

    func note(_ outcome: ProposalOutcome<Pile.ID>) {
        switch outcome {
        case .applied(let id): outcomes.append("applied \(id)")
        case .noEffect: outcomes.append("no effect")
        case .refused: outcomes.append("refused")
        }
    }

    /// The state of all piles and flags.
    var snapshot: Snapshot {
        Snapshot(
            order: piles.ids, piles: piles.ids.map { piles[$0] }, size: piles.size,
            summaries: piles.ids.map { piles.summary(of: $0) }, names: flags.ids,
            flags: flags.ids.map { flags[$0] })
    }

    struct Snapshot: Equatable {
        let order: [Pile.ID]
        let piles: [Pile?]
        let size: Int
        let summaries: [Pile.Summary?]
        let names: [ExactText]
        let flags: [Flag?]
    }
}

extension [UInt8] {
    var text: String { String(decoding: self, as: UTF8.self) }
}
