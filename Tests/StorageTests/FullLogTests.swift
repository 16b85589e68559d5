import BusdEventLoop
import BusdProtocol
import CBusdSQLite
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import BusdStorage

/// A log that has all the bytes it may have.
@Suite struct FullLogTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    private static let most = 512 << 10

    private func add(_ daemon: StoreFixture) throws {
        for number in 1...500 { daemon.tallies.propose(.add(number), to: try id(1)) }
        #expect(try daemon.settle().count == 500)
    }

    private var used: Int {
        get throws {
            let copy = try folder.copy()
            return try Database(path: copy.log).usedBytes()
        }
    }

    /// Holds back the copy until the gate is opened. It opens `held` before.
    private func holdCopy(until gate: WakeupPipe, _ held: WakeupPipe) {
        var plan = FaultyFiles.Plan(
            path: folder("backup"), operation: .write, code: SQLITE_OK, failures: 0)
        let hold = Hold(gate: gate, held: held)
        plan.watch = { hold.wait() }
        FaultyFiles.add(plan)
    }

    @Test func `A commit to a full log waits a second for a cut that a copy delays`() throws {
        let daemon = try StoreFixture(folder, mostLogBytes: Self.most)
        try daemon.create("a")
        try add(daemon)
        try daemon.saveStates().get()
        let (gate, held) = (try WakeupPipe(), try WakeupPipe())
        holdCopy(until: gate, held)
        daemon.store.backup(to: folder("backup"))
        #expect(held.wait(milliseconds: 60_000))
        while try used < Self.most { try add(daemon) }
        // The log is measured after eight commits at the latest.
        let waits = try (1...8).contains { _ in
            let before = MonotonicClock.milliseconds
            try add(daemon)
            return MonotonicClock.milliseconds - before >= 900
        }
        #expect(waits)

        try daemon.saveStates().get()
        // The newest entry of the log stays as it is.
        try add(daemon)
        gate.wake()
        try daemon.wait { daemon.store.takeBackupOutcome() }.get()
        let report = try daemon.wait { daemon.store.takeReports().first }
        #expect(report.contains("were replaced by states: "))
        try add(daemon)
        #expect(try used < Self.most)
        let numbers = daemon.numbers()
        daemon.close()
        #expect(try StoreFixture(folder).numbers() == numbers)
    }
}

/// Waits once, on the thread of the copy. The first write is one of the thread of the states.
private final class Hold: Sendable {
    private let first = Atomic<UInt>(0)
    private let hasHeld = Atomic(false)
    private let gate: WakeupPipe
    private let held: WakeupPipe

    init(gate: WakeupPipe, held: WakeupPipe) { (self.gate, self.held) = (gate, held) }

    func wait() {
        let thread = UInt(pthread_self())
        let (isFirst, known) = first.compareExchange(
            expected: 0, desired: thread, ordering: .relaxed)
        guard !isFirst, known != thread else { return }
        guard !hasHeld.exchange(true, ordering: .relaxed) else { return }
        held.wake()
        gate.wait(milliseconds: 60_000)
    }
}
