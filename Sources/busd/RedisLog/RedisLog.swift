package import BusdEventLoop
package import BusdProtocol

/// The log of a house: a stream in Redis, to which several daemons append.
///
/// All entries of a turn are one call. Only one call is unanswered at a time; entries that arrive
/// meanwhile become the next call. An entry is in the log when it comes back through the stream, in
/// its place among the entries of all daemons. A call has a number, so it can be repeated if its
/// answer is lost.
package final class RedisLog: Log {
    let house: HouseName
    let identity: String
    let origin = randomName()
    let loop: Loop
    let link: HouseLink
    private let deadline: LoopTimer
    package let table: HouseTable

    /// The newest entry that was read, and its chain.
    package private(set) var position: Int
    var chain: String?
    /// The newest entry of the daemon's own store; `nil` when the chain is known.
    var newest: LogEntry?
    /// The link is up, and leads to the house that this daemon has followed.
    var isFollowing = false
    /// When the daemon has followed last, in microseconds of the loop; 0: not since its start.
    private var lastFollowed: Int64 = 0
    /// The newest entry that was applied, and the newest of the log when the link was last up:
    /// until it is applied, the daemon does not follow the log again.
    private var lastApplied: Int
    var goal = 0
    /// Why Redis would refuse entries now.
    private var refusal: String?
    /// The newest entry that replaced a secret; `nil` once Redis has noted it.
    var secret: Int?
    /// The log file has the reason why Redis does not write its file anew.
    var hasReportedRewrite = false
    /// A read waits for the next entries.
    private var isReading = false
    var start: HouseStart
    /// How other daemons differ from this one, which must load the states of the house.
    var difference: String?

    private var own: OwnEntries
    /// The call without an answer must be repeated, after the next heartbeat.
    var mustRepeat = false
    private var outcomes: [LogOutcome] = []
    /// How many of `outcomes` were taken.
    private var takenOutcomes = 0
    /// Bytes of the entries in `outcomes`.
    private var outcomeBytes = 0
    private var digest: OutcomeDigest

    /// Called with each entry that has been applied.
    package var keep: (LogEntry) -> Void = { _ in }
    /// The time of the newest entry when the daemon followed the log first.
    package internal(set) var firstTime: Instant?

    /// Why answered changes may not survive a power cut; `nil` if they do.
    package var warning: String? { link.warning }

    /// Called with the reason if the daemon must start again, to load the states of the house.
    package var reload: (String) -> Void = { _ in }
    /// Called when the table or `problem` may have changed.
    package var changed: () -> Void = {}
    /// Why nothing can be appended now; `nil`: the daemon follows the log.
    package private(set) var problem: String? = "connecting to Redis"
    /// Called with a line for the log file.
    package var report: (String) -> Void = { _ in }
    private var reported: Set<ExactText> = []
    private static let mostReported = 16
    private static let catchingUp = "reading the log of the house; wait until it is read"

    /// If so many outcomes wait, no more entries are read.
    private static let mostOutcomes = 1_024
    /// If so many bytes of entries wait, no more are read until all were taken.
    private static let mostOutcomeBytes = 16 << 20

    /// - Parameters:
    ///   - newest: the entry at the position, of the daemon's own store.
    ///   - position: the newest entry that the daemon has applied.
    package init(_ start: HouseStart, newest: LogEntry?, position: Int, _ loop: Loop) {
        (house, identity, self.loop) = (start.house, start.identity, loop)
        (self.start, self.newest, self.position) = (start, newest, position)
        lastApplied = position
        link = HouseLink(start.redis, start.house, loop)
        table = HouseTable(start, origin)
        deadline = LoopTimer(loop: loop) {}
        digest = OutcomeDigest(after: position)
        own = OwnEntries(longestWait: start.longestWait)
        link.position = { [weak self] in self?.position ?? 0 }
        link.looked = { [weak self] in self?.looked($0) }
        link.heartbeat = { [weak self] in self?.heartbeat ?? ([], []) }
        link.heartbeatReplied = { [weak self] in self?.heartbeatReplied($0, took: $1) }
        link.checked = { [weak self] in self?.refusal = $0 }
    }

    // MARK: Log

    package var isKept: Bool { true }
    package var isShared: Bool { true }
    package var daemon: String? { start.member }
    package var hasArrivals: Bool { takenOutcomes < outcomes.count }

    /// True also for a second after the link was lost, because it may be up again soon.
    package var isAvailable: Bool {
        guard own.areAccepted, table.hasFollowed, refusal == nil, link.state != .closed else {
            return false
        }
        if isFollowing || link.isRefused { return isFollowing }
        return loop.now() - lastFollowed < own.longestWait  // fits: times of a clock
    }

    package func append(_ entries: [LogEntry]) {
        let now = loop.now()
        // Encoding does not fail: the entries were encoded before.
        for form in entries.compactMap({ try? $0.sharedForm }) { own.append(form, at: now) }
        callNext()
        setDeadline()
    }

    package func takeOutcome() -> LogOutcome? {
        guard hasArrivals else { return nil }
        let outcome = outcomes[takenOutcomes]
        takenOutcomes += 1
        if takenOutcomes == outcomes.count {
            (outcomes, takenOutcomes, outcomeBytes) = ([], 0, 0)
        }
        read()
        return outcome
    }

    package func applied(_ entry: AppliedEntry) {
        keep(entry.entry)
        lastApplied = entry.entry.number
        if entry.replacesSecret { note(secret: entry.entry.number) }
        if let digest = digest.add(entry) { record(digest) }
    }

    /// Later entries are read again when the link is up again.
    package func stop(at entry: LogEntry, _ reason: String) {
        link.refuse("entry \(entry.number) of the house cannot be applied: \(reason)")
        stopFollowing()
        let rest = outcomes[takenOutcomes...].compactMap { outcome -> LogOutcome? in
            switch outcome {
            case .placed: .uncertain(1)
            case .arrived: nil
            default: outcome
            }
        }
        (outcomes, takenOutcomes, outcomeBytes) = (rest + own.giveUp(at: nil), 0, 0)
        (position, chain, newest) = (entry.number - 1, nil, nil)  // fits: it is above 0
        takeRefusal()
    }

    // MARK: Turns

    /// Called once per turn, before outcomes are taken.
    package func attend() {
        link.attend()
        if isFollowing, link.state != .up { stopFollowing() }
        let behind = lastApplied < goal ? Self.catchingUp : nil
        note(problem: isFollowing ? behind ?? refusal : link.problem ?? problem)
        outcomes += own.giveUp(at: loop.now())
        takeRefusal()
        setDeadline()
    }

    private func stopFollowing() {
        if isFollowing { lastFollowed = loop.now() }
        (isFollowing, isReading, refusal) = (false, false, nil)
    }

    /// Reports each reason once, until the daemon follows again.
    func note(problem: String?) {
        guard problem != self.problem else { return }
        self.problem = problem
        changed()
        if let problem {
            // One loss has several reasons, one after the other, and ends with catching up.
            if problem.isExactly(Self.catchingUp) { return }
            let kind = isFollowing ? problem : link.refusals ?? ""
            guard reported.count < Self.mostReported, reported.insert(ExactText(kind)).inserted
            else { return }
            report("\(problem). This daemon still serves its state, but refuses durable sends")
        } else {
            if !reported.isEmpty { report("the house is followed again") }
            reported = []
        }
    }

    private func setDeadline() {
        guard let since = own.since, !deadline.isArmed else { return }
        // fits: times of a clock
        deadline.arm(afterMicroseconds: since + own.longestWait - loop.now())
    }

    // MARK: Own entries

    private func callNext() {
        guard isFollowing, let call = own.nextCall() else { return }
        send(call)
    }

    private func send(_ call: OwnEntries.Call) {
        let words = [
            "FCALL", "busd_2_append", "3", house.head, house.log, house.origins, identity, origin,
            "\(call.number)", table.expectedTime(at: loop.now()),
        ]
        link.call(words.map { Array($0.utf8) } + call.forms) { [weak self] reply in
            self?.answered(call.number, reply)
        }
    }

    /// Sends the call without an answer again, or the next call.
    func repeatCall() {
        mustRepeat = false
        if let call = own.repeatCall() { send(call) } else { callNext() }
    }

    private func answered(_ number: Int, _ reply: RedisValue) {
        switch reply[0].string {
        case "ok", "again":
            own.done(number)
            return callNext()
        case "identity", "empty": return link.lose("the house has changed")
        default: break
        }
        let isDecided = own.refuse(
            number, last: reply[0].string == "order" ? reply[1].number : nil)
        guard isDecided else {
            mustRepeat = true
            return
        }
        var settings = EngineSettings()
        settings.note(["FCALL"], reply)
        refusal =
            settings.obstacle ?? "Redis refuses entries: \((reply[0].string ?? "").printable)"
        takeRefusal()
    }

    private func takeRefusal() { if let refusal = own.takeRefusal() { outcomes.append(refusal) } }

    // MARK: Reading

    func read() {
        guard isFollowing, !isReading, outcomes.count - takenOutcomes < Self.mostOutcomes,
            outcomeBytes < Self.mostOutcomeBytes
        else { return }
        isReading = true
        link.read(after: position) { [weak self] in self?.read($0) }
    }

    private func read(_ reply: RedisValue) {
        isReading = false
        if case .error(let text) = reply { return link.refuse(EngineSettings.advice(on: text)) }
        for value in reply[0][1].list ?? [] {
            guard take(value) else { return }
        }
        read()
    }

    /// Returns false if the entry does not continue the log.
    private func take(_ value: RedisValue) -> Bool {
        guard let next = HouseEntry(value), let chain, next.number == position + 1,
            next.follows(chain)
        else {
            let id = value[0].string ?? "?"
            link.refuse("the stream has \(id.printable) where entry \(position + 1) was expected")
            return false
        }
        let isOwn = next.origin.isExactly(origin)
        let comesBack =
            isOwn ? own.received(next.form, number: next.number, fromCall: next.call) : .unexpected
        switch comesBack {
        case .same:
            outcomes.append(.placed(number: next.number, time: next.time))
            takeRefusal()
        case .changed:
            link.refuse(
                "entry \(next.number) of the house is not as this daemon has sent it; "
                    + HouseNextStep.restoring)
            return false
        case .unexpected:
            do throws(WireError) {
                outcomes.append(.arrived(try next.entry()))
                outcomeBytes += next.form.count
            } catch {
                link.refuse("entry \(next.number) of the house cannot be read: \(error.message)")
                return false
            }
        }
        (position, self.chain) = (next.number, next.chain)
        return true
    }
}
