import BusdProtocol

@testable import BusdRedisLog

/// A simulated Redis with the log of one house. It appends by the rules of the real function.
final class SimulatedHouse {
    struct Entry {
        let number: Int
        let time: Instant
        let origin: Int
        let call: Int
        let form: [UInt8]
    }

    enum Reply {
        case done
        /// The number of the last call that was done.
        case outOfOrder(last: Int)
        case refused
    }

    private(set) var entries: [Entry] = []
    private var lastCalls: [Int: Int] = [:]
    private(set) var lastOrigin = 0
    var isFull = false

    func newOrigin() -> Int {
        lastOrigin += 1
        return lastOrigin
    }

    func append(_ call: OwnEntries.Call, from origin: Int) -> Reply {
        guard !isFull else { return .refused }
        let last = lastCalls[origin] ?? 0
        if call.number == last { return .done }
        guard call.number == last + 1 else { return .outOfOrder(last: last) }
        lastCalls[origin] = call.number
        for form in call.forms {
            let number = entries.count + 1
            entries.append(
                Entry(
                    number: number, time: Instant(microseconds: Int64(number)), origin: origin,
                    call: call.number, form: form))
        }
        return .done
    }
}

/// A log as `RedisLog` is, on a link that delays, loses and repeats calls as the test decides.
final class SimulatedLog: Log {
    private let house: SimulatedHouse
    private let origin: Int
    private var own = OwnEntries(longestWait: 1_000_000)
    private var outcomes: [LogOutcome] = []
    /// Calls on their way to Redis, also calls of lost connections.
    private(set) var calls: [(call: OwnEntries.Call, connection: Int)] = []
    private var replies: [(call: Int, reply: SimulatedHouse.Reply)] = []
    private var isUp = true
    private var connection = 1
    private var downSince: Int64 = 0
    private(set) var position: Int
    private(set) var kept: [LogEntry]
    /// Microseconds.
    private var now: Int64 = 0

    init(_ house: SimulatedHouse, kept: [LogEntry]) {
        (self.house, self.kept) = (house, kept)
        (origin, position) = (house.newOrigin(), kept.count)
    }

    // MARK: Log

    var isKept: Bool { true }
    var isShared: Bool { true }
    var hasArrivals: Bool { !outcomes.isEmpty }
    var isAvailable: Bool { own.areAccepted && (isUp || now - downSince < own.longestWait) }

    func append(_ entries: [LogEntry]) {
        for form in entries.compactMap({ try? $0.sharedForm }) { own.append(form, at: now) }
        callNext()
    }

    func takeOutcome() -> LogOutcome? { outcomes.isEmpty ? nil : outcomes.removeFirst() }
    func applied(_ entry: AppliedEntry) { kept.append(entry.entry) }

    private func callNext() {
        guard isUp, let call = own.nextCall() else { return }
        calls.append((call, connection))
    }

    private func repeatCall() {
        if let call = own.repeatCall() { calls.append((call, connection)) } else { callNext() }
    }

    private func refuseWaiting() { if let refusal = own.takeRefusal() { outcomes.append(refusal) } }

    // MARK: The link

    /// Delivers a call to Redis.
    func deliverCall(_ place: Int) {
        let (call, connection) = calls.remove(at: place)
        let reply = house.append(call, from: origin)
        if isUp, connection == self.connection { replies.append((call.number, reply)) }
    }

    func deliverReply() {
        guard isUp, !replies.isEmpty else { return }
        let (number, reply) = replies.removeFirst()
        switch reply {
        case .done:
            own.done(number)
            return callNext()
        case .outOfOrder(let last): _ = own.refuse(number, last: last)
        case .refused: if !own.refuse(number, last: nil) { return repeatCall() }
        }
        refuseWaiting()
    }

    /// Loses the connection and all replies on their way; if `withCalls`, also all calls.
    func lose(withCalls: Bool) {
        guard isUp else { return }
        (isUp, downSince, replies) = (false, now, [])
        if withCalls { calls = [] }
    }

    func connect() {
        guard !isUp else { return }
        (isUp, connection) = (true, connection + 1)
        repeatCall()
    }

    func read(most: Int) {
        guard isUp else { return }
        for entry in house.entries.dropFirst(position).prefix(most) {
            position = entry.number
            let isOwn = entry.origin == origin
            if isOwn,
                own.received(entry.form, number: entry.number, fromCall: entry.call) == .same
            {
                outcomes.append(.placed(number: entry.number, time: entry.time))
                refuseWaiting()
            } else if let arrived = try? LogEntry(
                number: entry.number, time: entry.time, sharedForm: entry.form)
            {
                outcomes.append(.arrived(arrived))
            }
        }
    }

    func advance(by span: Int64) {
        now += span
        outcomes += own.giveUp(at: now)
        refuseWaiting()
    }
}
