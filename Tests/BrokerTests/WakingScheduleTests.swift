import Broker
import Hosting
import Protocol
import TestKit
import TestSupport
import Testing

/// Parts of a tally come, change, sleep, wake and end, while commits land and fail at random. What
/// anybody is shown is what is on disk then, no more and no less, and nobody waits for it.
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
    private(set) var log: [String] = []
    private(set) var problem: String?

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        let disk = disk
        disk.canSleep = true
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
        switch Int.random(in: 0..<20, using: &random) {
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
        default: leave()
        }
        for watcher in watchers where problem == nil { problem = watcher.problem(on: disk) }
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

    private mutating func commit(isDone: Bool) {
        guard ended < disk.commits else { return }
        log.append(isDone ? "landed" : "failed")
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
            guard lines.count == 1, lines[0].hasSuffix(#"[{"count":{"_0":\#(count)}}]}}"#) else {
                problem = "\(address) shows \(lines), and \(count) is on disk"
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
    func problem(on disk: TallyDisk) -> String? {
        for line in connection.takeLines() { read(line) }
        for (address, shown) in shown where disk.onDisk[address] != shown.count {
            fault = "\(shown.count) of \(address), and \(disk.onDisk[address] ?? -1) is on disk"
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
            guard said.name == "count", let from = Address(said.from),
                let count = Int(said.json.filter(\.isNumber).dropFirst())
            else { return }
            if !said.isSnapshot, shown[from].map({ $0.seq + 1 }) != said.seq {
                fault = "a hole before \(line)"
            }
            shown[from] = (said.seq, count)
        case .live(let text, _, let seq):
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
