import BusdBroker
import BusdHosting
import BusdProtocol
@testable import BusdTestKit
import TestSupport
import Testing

/// Parts of a tally come, change, sleep, wake and end, while commits land and fail at random. What
/// anybody is shown is what is on disk then, no more and no less, and nobody waits for it. Their
/// clocks are on no disk: a time is shown with the last change before it, and not later.
@Suite struct `Whoever looks while the disk is slow` {
    @Test(arguments: 0..<8) func `is shown what is on disk, at once`(share: Int) {
        for seed in stride(from: share, to: 1_000, by: 8) {
            var schedule = WakingSchedule(seed: UInt64(seed))
            for _ in 0..<40 where schedule.problem == nil { schedule.step() }
            guard let problem = schedule.problem else { continue }
            Issue.record("seed \(seed): \(problem)\n\(schedule.log.joined(separator: "\n"))")
            return
        }
    }
}

private struct WakingSchedule {
    private var random: SeededGenerator
    private let disk = TallyDisk()
    private let bus: TestBus
    private let keepers: [TestConnection]
    private var watchers: [Watcher] = []
    private var opened = 0
    /// Commits that have ended, well or not.
    private var ended = 0
    /// What the clock of each says, and the commit that it has to wait for; the oldest first.
    private var times: [Address: [(time: Int, commit: Int)]] = [:]
    private(set) var log: [String] = []
    private(set) var problem: String?

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        let disk = disk
        (disk.canSleep, disk.hasClocks) = (true, true)
        bus = TestBus(journal: disk) { host in
            disk.directory = host
            host.register(TallyViewModel.self, services: disk)
        }
        let bus = bus
        keepers = (0..<3).map { _ in bus.connect() }
        for _ in 0..<3 {
            open()
            commit(isDone: true)
        }
    }

    mutating func step() {
        switch Int.random(in: 0..<23, using: &random) {
        case 0: open()
        case 1: send("tally", #"{"close":{"_0":"\#(anyPart())"}}"#)
        case 2..<7: send("tally", #"{"give":{"_0":"\#(anyPart())","_1":\#(log.count + 1)}}"#)
        case 7: send("tally", #"{"add":{"_0":1}}"#)
        case 8: send("tally/\(anyPart())", #"{"add":{"_0":1000}}"#)
        case 9..<13: commit(isDone: Int.random(in: 0..<4, using: &random) > 0)
        case 13:
            log.append("sleep")
            bus.advance(by: .seconds(121))
        case 14, 15: get()
        case 16, 17: watch()
        case 18, 19: tick()
        default: leave()
        }
        for watcher in watchers where problem == nil { problem = watcher.problem(on: disk, time) }
        for keeper in keepers { _ = keeper.takeLines() }
    }

    private mutating func anyPart() -> String { "p\(Int.random(in: 1...opened, using: &random))" }

    private mutating func open() {
        opened += 1
        send("tally", #"{"open":{"_0":"p\#(opened)"}}"#)
    }

    private mutating func send(_ to: String, _ event: String) {
        log.append("send \(to) \(event)")
        keepers.randomElement(using: &random)?.send(
            #"{"op":"send","to":"\#(to)","event":\#(event),"id":\#(log.count)}"#)
    }

    /// Who is asleep has no clock.
    private mutating func tick() {
        guard let address = Address("tally/\(anyPart())"), disk.counts[address] != nil,
            disk.onDisk[address] != nil, isAwake(address)
        else { return }
        log.append("tick \(address)")
        let commit = disk.lastChange(of: address).map { ended + 1 + $0 } ?? ended
        times[address, default: []].append((log.count, commit))
        disk.clocks[address]?(log.count)
        bus.settle()
    }

    private func isAwake(_ address: Address) -> Bool {
        bus.host.find(address).map(bus.host.isAwake) ?? false
    }

    /// What everybody is shown of the clock.
    private func time(_ address: Address) -> Int {
        times[address]?.last { $0.commit <= ended }?.time ?? 0
    }

    private mutating func commit(isDone: Bool) {
        guard ended < disk.commits else { return }
        log.append(isDone ? "landed" : "failed")
        if !isDone {
            let landed = ended
            for address in times.keys { times[address]?.removeAll { $0.commit > landed } }
        }
        ended = isDone ? ended + 1 : disk.commits
        if isDone { disk.succeed() }
        bus.committed(successfully: isDone)
    }

    private mutating func get() {
        for (address, count) in disk.onDisk.sorted(by: { $0.key < $1.key })
        where Bool.random(using: &random) {
            log.append("get \(address)")
            let reader = bus.connect()
            reader.send("get \(address)")
            let lines = reader.takeLines()
            let shown = #"[{"count":{"_0":\#(count)}},{"time":{"_0":\#(time(address))}}]}}"#
            guard lines.count == 1, lines[0].hasSuffix(shown) else {
                problem = "\(address) shows \(lines), and not \(shown)"
                return
            }
        }
    }

    private mutating func watch() {
        let address =
            Bool.random(using: &random)
            ? disk.onDisk.keys.sorted().randomElement(using: &random) : nil
        log.append("watch \(address?.text ?? "**")")
        watchers.append(Watcher(bus.connect(), address))
    }

    private mutating func leave() {
        guard !watchers.isEmpty else { return }
        log.append("leave")
        watchers.remove(at: Int.random(in: watchers.indices, using: &random)).leave()
    }
}

/// Hears one tally, or all, and has what they show.
private final class Watcher {
    private let connection: TestConnection
    private let address: Address?
    private let reader = SimulatedReader()
    private var shown: [Address: (seq: Int, count: Int)] = [:]
    private var times: [Address: Int] = [:]
    /// They came and went with one commit.
    private var empty: Set<Address> = []
    private var fault: String?

    init(_ connection: TestConnection, _ address: Address?) {
        self.connection = connection
        self.address = address
        connection.send("subscribe \(address?.text ?? "**")")
    }

    func leave() {
        connection.vanish()
        _ = connection.takeLines()
    }

    /// What is not as it should be.
    func problem(on disk: TallyDisk, _ time: (Address) -> Int) -> String? {
        for line in connection.takeLines() { read(line) }
        for (address, shown) in shown where disk.onDisk[address] != shown.count {
            fault = "\(shown.count) of \(address), and \(disk.onDisk[address] ?? -1) is on disk"
        }
        for address in shown.keys where times[address] != time(address) {
            fault = "the time \(times[address] ?? -1) of \(address), and it is \(time(address))"
        }
        for address in disk.onDisk.keys where self.address ?? address == address {
            if shown[address] == nil { fault = "\(address) is missing" }
        }
        if let address = empty.first { fault = "nothing of \(address)" }
        return fault.map { "a watcher of \(address?.text ?? "**") has \($0)" }
    }

    private func read(_ line: String) {
        switch reader.read(line) {
        case .said(let said):
            guard ["count", "time"].contains(said.name), let from = Address(said.from),
                let number = Int(said.json.filter(\.isNumber).dropFirst())
            else { return }
            if !said.isSnapshot, shown[from].map({ $0.seq + 1 }) != said.seq {
                fault = "a hole before \(line)"
            }
            if said.name == "time" { times[from] = number }
            shown[from] = (said.seq, said.name == "count" ? number : shown[from]?.count ?? -1)
        case .live(let text, _, let seq, _):
            guard let address = Address(text), text != "bus/views" else { return }
            if shown[address] == nil { empty.insert(address) }
            if let known = shown[address], known.seq != seq { fault = "another seq in \(line)" }
        case .gone(let text):
            guard let address = Address(text) else { return }
            shown[address] = nil
            empty.remove(address)
        case .ok, .livePattern: break
        default: fault = line
        }
    }
}
