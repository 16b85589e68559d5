import BusdEventLoop
import BusdProtocol
import Glibc
import TestSupport
import Testing

@testable import BusdStorage

/// A thing for tests: numbers in the order in which they were added.
struct Tally: Thing {
    struct Seed: Codable, Sendable { var name: String }
    struct Summary: Codable, Equatable, Sendable { var name: String }
    enum Action: Codable, Sendable { case add(Int) }

    static let kind = "tally"
    let name: String
    private(set) var numbers: [Int] = []

    init(_ seed: Seed) { name = seed.name }

    mutating func apply(_ action: Action, at time: Instant) -> Bool {
        guard case .add(let number) = action, number != 0 else { return false }
        numbers.append(number)
        return true
    }

    var summary: Summary { Summary(name: name) }
}

/// A thing without a history.
struct Secret: Thing {
    typealias ID = ExactText
    enum Action: Codable, Sendable { case set(String) }

    static let kind = "secret"
    static let keepsHistory = false
    static let initial: Secret? = Secret()
    private(set) var text = ""

    mutating func apply(_ action: Action, at time: Instant) -> Bool {
        guard case .set(let text) = action else { return false }
        self.text = text
        return true
    }
}

/// A daemon with a store, reduced to what a store needs. A subclass has more libraries.
class StoreFixture {
    let store: Store
    let libraries: Libraries
    let tallies: Library<Tally>
    let secrets: Library<Secret>
    let time: Timeline
    let wakeup: WakeupPipe
    /// Reports of data that could not be read.
    private(set) var findings: [String] = []

    static let daemon = StoreDaemon("busd")

    init(
        _ folder: Folder, of daemon: StoreDaemon = daemon, durability: Durability = .full,
        mostLogBytes: Int = Store.mostLogBytes
    ) throws {
        FaultyFiles.install
        let wakeup = try WakeupPipe()
        self.wakeup = wakeup
        store = try Store(
            folder: folder.path, durability: durability, mostLogBytes: mostLogBytes, of: daemon
        ) { wakeup.wake() }
        time = Timeline(now: max(store.content.lastTime, Instant(microseconds: 1_000)))
        libraries = Libraries(log: store.log, clock: time, content: store.content)
        (tallies, secrets) = (Library(libraries), Library(libraries))
        makeLibraries()
        findings = store.findings + libraries.open()
    }

    /// Libraries must be made before they are opened.
    func makeLibraries() {}

    deinit { libraries.close() }

    // MARK: Sends

    @discardableResult
    func create(_ name: String) throws -> SendOutcome? {
        tallies.create(Tally.Seed(name: name))
        return try settle().last
    }

    @discardableResult
    func add(_ number: Int, to tally: Int = 1) throws -> SendOutcome? {
        tallies.propose(.add(number), to: try #require(Tally.ID(tally)))
        return try settle().last
    }

    @discardableResult
    func delete(_ tally: Int) throws -> SendOutcome? {
        tallies.delete(try #require(Tally.ID(tally)))
        return try settle().last
    }

    @discardableResult
    func set(_ text: String, of name: String) throws -> SendOutcome? {
        secrets.propose(.set(text), to: ExactText(name))
        return try settle().last
    }

    /// Ends the turn, and waits until nothing is pending.
    @discardableResult
    func settle() throws -> [SendOutcome] {
        libraries.commit()
        var outcomes: [SendOutcome] = []
        try wait {
            while let applied = libraries.applyNext() { outcomes.append(applied.outcome) }
            return libraries.hasPending ? nil : true
        }
        return outcomes
    }

    // MARK: States

    @discardableResult
    func saveStates() throws -> Result<Void, StoreError> {
        let changes = try libraries.takeUnsavedStates().map { try $0() }
        for change in changes { store.saveStates([change]) }
        store.commitStates(covered: libraries.applied, time: time.now)
        #expect(store.isSavingStates || changes.isEmpty == false)
        let outcome = try wait { store.takeStatesOutcome() }
        libraries.finishSavingStates(successfully: outcome.isSuccess)
        return outcome
    }

    func backup(to path: String) throws -> Result<Void, StoreError> {
        store.backup(to: path)
        return try wait { store.takeBackupOutcome() }
    }

    func close() { store.close() }

    /// Calls `ask` after each wakeup until it returns a value. Fails after a minute.
    @discardableResult
    func wait<Value>(_ ask: () -> Value?) throws -> Value {
        let deadline = MonotonicClock.milliseconds + 60_000
        while true {
            if let value = ask() { return value }
            try #require(MonotonicClock.milliseconds < deadline, "nobody has woken the loop")
            wakeup.wait(milliseconds: 20)
        }
    }

    // MARK: Content

    func numbers(_ tally: Int = 1) -> [Int]? { Tally.ID(tally).flatMap { tallies[$0]?.numbers } }

    /// The id, the name and the numbers of each tally.
    var all: [String] {
        tallies.ids.map { id in
            let tally = tallies[id]
            return "\(id.text) \(tally?.name ?? "?") \(tally?.numbers ?? [])"
        }
    }

    var secretTexts: [String] {
        secrets.ids.map { "\($0.text) \(secrets[$0]?.text ?? "?")" }
    }
}

extension Result where Success == Void, Failure == StoreError {
    var isSuccess: Bool { if case .success = self { true } else { false } }
    var failureText: String? {
        if case .failure(let error) = self { error.description } else { nil }
    }
}

extension Folder {
    /// A copy of the files, as a kill at this moment leaves them.
    func copy() throws -> Folder {
        let copy = try Folder()
        for name in names where name != "store.lock" {
            // A thread may have removed the file.
            guard let bytes = presentBytes(of: self(name)) else { continue }
            try TestSupport.write(bytes, to: copy(name))
        }
        return copy
    }

    /// A copy of the files when the threads of the store no longer change them.
    func stableCopy() throws -> Folder {
        var last = try copy()
        while true {
            let next = try copy()
            let isSame =
                try next.names == last.names
                && next.names.allSatisfy { try bytes(of: next($0)) == bytes(of: last($0)) }
            if isSame { return next }
            last = next
        }
    }

    func sql(_ name: String, _ sql: String) throws {
        let connection = try Database(path: self(name))
        try connection.execute(sql)
        try connection.checkpoint()
    }

    func integer(_ name: String, _ sql: String) throws -> Int? {
        try Database(path: self(name)).integer(sql)
    }

    var logSize: Int { (try? integer("log.sqlite", "SELECT count(*) FROM log")) ?? -1 }
}
