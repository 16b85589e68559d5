import BusdBroker
import BusdGames
import BusdHosting
import BusdProtocol
import BusdStorage
import BusdTestKit
import TestSupport
import Testing

@testable import BusdDaemon

/// An entry is in the log only if it can be read again. Most things are games.
@Suite struct `Extreme values in each event of each kind` {
    private let folder: Folder

    init() throws { folder = try Folder() }

    private func start() throws -> (bus: ServerFixture, events: ExtremeEvents) {
        let bus = try ServerFixture(in: folder, keepsState: true)
        let client = try bus.connect()
        let events = ExtremeEvents { lines in
            var answers: [String] = []
            for (number, line) in lines.enumerated() {
                client.send(line)
                let isAnswered = bus.turn {
                    answers += client.takeLines()
                    return answers.count > number
                }
                try #require(isAnswered)
            }
            return answers
        }
        return (bus, events)
    }

    @Test func `All that was answered is there after a kill, and after a stop`() throws {
        let values: [String]
        let busd: StoreDaemon
        do {
            let (bus, events) = try start()
            busd = StoreDaemon(.busd, bus.host.libraries.kinds)
            try events.run()
            #expect(events.faults.sorted() == [])
            #expect(events.changes > 100)
            values = try events.values()
            #expect(values.count > 10)
            bus.kill()
        }
        let state = folder("state")
        #expect(try Store.check(folder: state, of: busd) == [])
        do {
            let (bus, events) = try start()
            let other = try difference(events.values(), values)
            #expect(other == [])
            #expect(bus.logged.lines().filter { $0.contains("cannot be read") } == [])
            bus.end()
        }
        #expect(try Store.check(folder: state, of: busd) == [])
        let (bus, events) = try start()
        let other = try difference(events.values(), values)
        #expect(other == [])
        bus.kill()
    }

    @Test func `All members of a house have the same after each event`() throws {
        let (own, its) = (HouseLog(), HouseLog())
        let sender = HouseBus(own)
        try sender.events.run()
        #expect(sender.events.faults.sorted() == [])
        #expect(sender.events.changes > 100)
        let other = HouseBus(its)
        its.arrive(own.entries)
        other.bus.logReported()
        #expect(its.problems == [])
        let others = try difference(other.events.values(), sender.events.values())
        #expect(others == [])
    }
}

/// The values that only one of both has.
private func difference(_ a: [String], _ b: [String]) -> [String] {
    Set(a).symmetricDifference(b).sorted()
}

/// A member of a house, without its daemon.
private final class HouseBus {
    let bus: TestBus
    let events: ExtremeEvents

    init(_ log: HouseLog) {
        let bus = TestBus(log: log) { host in
            for application in applications { try application.install(on: host) }
        }
        let client = bus.connect()
        self.bus = bus
        events = ExtremeEvents { lines in
            client.send(bytes: Array(lines.joined(separator: "\n").utf8) + [.lineFeed])
            var answers = client.takeLines()
            // Each round ends what the log has placed, and lets the next sends begin.
            for _ in lines where answers.count < lines.count {
                bus.logReported()
                answers += client.takeLines()
            }
            return answers
        }
    }
}

/// The log of a house that can always be reached.
private final class HouseLog: Log {
    private(set) var entries: [LogEntry] = []
    private(set) var problems: [String] = []
    private var outcomes: [LogOutcome] = []

    var isKept: Bool { true }
    var isAvailable: Bool { true }
    var isShared: Bool { true }
    var daemon: String? { "court" }
    var hasArrivals: Bool { !outcomes.isEmpty }

    func append(_ new: [LogEntry]) {
        for entry in new {
            do {
                let placed = try LogEntry(
                    number: entries.count + 1, time: entry.time, sharedForm: entry.sharedForm)
                entries.append(placed)
                outcomes.append(.placed(number: placed.number, time: placed.time))
            } catch {
                problems.append("\(error)")
            }
        }
    }

    func arrive(_ entries: [LogEntry]) { outcomes += entries.map { .arrived($0) } }

    func takeOutcome() -> LogOutcome? { outcomes.isEmpty ? nil : outcomes.removeFirst() }

    func stop(at entry: LogEntry, _ reason: String) { problems.append(reason) }
}
