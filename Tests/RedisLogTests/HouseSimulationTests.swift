import BusdHosting
import BusdProtocol
import BusdTestKit
import TestSupport
import Testing

@testable import BusdRedisLog

/// Random schedules of several buses on one log. Calls of the log are delayed, lost and repeated.
/// A tenth of `BUSD_SCHEDULES` is their number; `BUSD_SEED` replays one and prints its steps.
struct HouseSimulationTests {
    @Test func `After random schedules, all buses are equal and have each answered send once`() {
        if let seed: UInt64 = testSetting("BUSD_SEED") { return play(seed) { print($0) } }
        for seed in 0..<(testSetting("BUSD_SCHEDULES") ?? 400 as UInt64) / 10 { play(seed) }
    }

    private func play(_ seed: UInt64, log: @escaping (String) -> Void = { _ in }) {
        var schedule = HouseSchedule(seed: seed, log: log)
        schedule.run(steps: 120)
        if let problem = schedule.problem { Issue.record("BUSD_SEED=\(seed): \(problem)") }
    }
}

/// A bus of the house, and a client that sends through it.
private final class SimulatedMember {
    let log: SimulatedLog
    let bus: TestBus
    let client: TestConnection

    init(_ house: SimulatedHouse, kept: [LogEntry] = []) {
        let log = SimulatedLog(house, kept: kept)
        var content = LogContent()
        content.entries = kept
        content.lastNumber = kept.count
        self.log = log
        bus = TestBus(log: log, content: content) { host in
            let lists = Library<ItemList>(host.libraries)
            host.register(ListsViewModel.self, services: lists)
        }
        client = bus.connect()
    }

    /// The lists as the bus shows them, without the cursor.
    var shown: String {
        let asking = bus.connect()
        asking.send("get lists")
        let line = asking.takeLines().first ?? "nothing"
        return line.firstRange(of: #""events""#).map { String(line[$0.lowerBound...]) } ?? line
    }
}

private struct HouseSchedule {
    /// A send, until its outcome is known.
    private struct Send {
        let event: String
        /// A send with a key is repeated until it is applied.
        let hasKey: Bool
        let item: Int?
        var member: Int?
    }

    private var random: SeededGenerator
    private let house = SimulatedHouse()
    private var members: [SimulatedMember] = []
    private var sends: [Int: Send] = [:]
    private var lastID = 0
    /// Items with an answered addition, and items with an unknown outcome.
    private var (added, uncertain): (Set<Int>, Set<Int>) = ([], [])
    private(set) var problem: String?
    private let log: (String) -> Void

    init(seed: UInt64, log: @escaping (String) -> Void) {
        random = SeededGenerator(seed: seed)
        self.log = log
        let count = Int.random(in: 2...3, using: &random)
        members = (0..<count).map { _ in SimulatedMember(house) }
        sends[0] = Send(event: #"{"make":{"name":"b0"}}"#, hasKey: true, item: nil)
        recover()
    }

    mutating func run(steps: Int) {
        for _ in 0..<steps where problem == nil { step() }
        recover()
        if problem == nil { check() }
    }

    // MARK: Steps

    private mutating func step() {
        let place = Int.random(in: 0..<members.count, using: &random)
        let member = members[place]
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<30: send(through: place)
        case 30..<50:
            guard !member.log.calls.isEmpty else { return }
            let call = Int.random(in: 0..<member.log.calls.count, using: &random)
            log("\(place): call \(member.log.calls[call].call.number) arrives")
            member.log.deliverCall(call)
        case 50..<65:
            log("\(place): a reply arrives")
            member.log.deliverReply()
        case 65..<82:
            log("\(place): entries arrive")
            member.log.read(most: Int.random(in: 1..<6, using: &random))
        case 82..<86:
            let withCalls = Bool.random(using: &random)
            log("\(place): the link is lost\(withCalls ? ", with calls" : "")")
            member.log.lose(withCalls: withCalls)
        case 86..<91:
            log("\(place): the link is up")
            member.log.connect()
        case 91..<96:
            let span = Int64.random(in: 100_000..<700_000, using: &random)
            log("\(place): \(span) µs pass")
            member.log.advance(by: span)
        case 96: house.isFull.toggle()
        case 97: kill(place)
        default: break
        }
        turn(place)
    }

    private mutating func turn(_ place: Int) {
        members[place].bus.logReported()
        for line in members[place].client.takeLines() { took(line) }
    }

    private mutating func send(through place: Int) {
        lastID += 1
        let event =
            switch Int.random(in: 0..<8, using: &random) {
            case 0: #"{"make":{"name":"b\#(lastID)"}}"#
            case 1: #"{"move":{"list":1,"to":1}}"#
            case 2: #"{"move":{"list":2,"to":0}}"#
            default: #"{"add":{"list":1,"item":"i\#(lastID)"}}"#
            }
        let hasKey = Bool.random(using: &random)
        let item = event.hasPrefix(#"{"add"#) ? lastID : nil
        sends[lastID] = Send(event: event, hasKey: hasKey, item: item)
        send(lastID, through: place)
    }

    private mutating func send(_ id: Int, through place: Int) {
        guard let send = sends[id] else { return }
        sends[id]?.member = place
        log("\(place): send \(id) \(send.event)")
        let key = send.hasKey ? #","key":"k\#(id)""# : ""
        members[place].client.send(
            #"{"op":"send","to":"lists","event":\#(send.event),"id":\#(id)\#(key)}"#)
    }

    private mutating func took(_ line: String) {
        log("    \(line)")
        guard let mark = line.firstRange(of: #""id":"#), line.hasSuffix("}"),
            let id = Int(line[mark.upperBound...].dropLast()), let send = sends[id]
        else {
            problem = "an unexpected line: \(line)"
            return
        }
        if line.hasPrefix(#"{"ok":"#) {
            sends[id] = nil
            guard let item = send.item else { return }
            if line.contains(#""changed":true"#) || line.contains(#""duplicate":true"#) {
                added.insert(item)
            }
        } else if line.contains(#""unavailable""#) || line.contains(#""uncertain""#) {
            if send.hasKey { return putBack(id) }
            sends[id] = nil
            if line.contains(#""uncertain""#), let item = send.item { uncertain.insert(item) }
        } else {
            problem = line
        }
    }

    /// Marks a send with a key as one to be repeated.
    private mutating func putBack(_ id: Int) { sends[id]?.member = nil }

    /// Kills a daemon. Its own store may lack the last entries that it has applied.
    private mutating func kill(_ place: Int) {
        log("\(place): killed")
        let kept = members[place].log.kept.dropLast(Int.random(in: 0..<3, using: &random))
        members[place] = SimulatedMember(house, kept: Array(kept))
        for (id, send) in sends where send.member == place { lost(id, send) }
    }

    /// Notes that a send will have no answer.
    private mutating func lost(_ id: Int, _ send: Send) {
        if send.hasKey { return putBack(id) }
        sends[id] = nil
        if let item = send.item { uncertain.insert(item) }
    }

    // MARK: The end

    /// Repairs all links, and repeats sends with a key until they are answered.
    private mutating func recover() {
        house.isFull = false
        for _ in 0..<200 where problem == nil {
            for place in members.indices {
                let log = members[place].log
                log.connect()
                while !log.calls.isEmpty { log.deliverCall(0) }
                for _ in 0..<20 { log.deliverReply() }
                log.read(most: .max)
                turn(place)
            }
            let unsent = sends.filter { $0.value.member == nil }.keys.sorted()
            for id in unsent {
                send(id, through: Int.random(in: 0..<members.count, using: &random))
            }
            let isCaughtUp = members.allSatisfy { $0.log.kept.count == house.entries.count }
            if sends.isEmpty, isCaughtUp { return }
        }
        problem = problem ?? "\(sends.count) sends have no answer: \(sends)"
    }

    private mutating func check() {
        let shown = members.map(\.shown)
        log(shown[0])
        if Set(shown).count > 1 { problem = "the buses differ: \(shown)" }
        let known = added.count
        guard let mark = shown[0].firstRange(of: #""count":"#),
            let items = Int(shown[0][mark.upperBound...].prefix { $0.isNumber })
        else {
            problem = shown[0]
            return
        }
        if !(known...known + uncertain.count).contains(items) {
            problem = "\(items) items, of \(known) answered and \(uncertain.count) uncertain"
        }
    }
}

extension String {
    fileprivate func firstRange(of text: String) -> Range<Index>? {
        var rest = self[...]
        while !rest.isEmpty {
            if rest.hasPrefix(text) {
                return rest.startIndex..<rest.index(rest.startIndex, offsetBy: text.count)
            }
            rest = rest.dropFirst()
        }
        return nil
    }
}
