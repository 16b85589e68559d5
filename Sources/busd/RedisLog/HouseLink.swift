import BusdEventLoop
import BusdProtocol

/// The two connections to Redis: one for calls, and one that only waits for entries, so that an
/// entry is not sent before Redis has synced it.
///
/// A lost link connects again, without end. After each connect it checks the settings of Redis and
/// looks at the house; then `RedisLog` decides how to continue.
final class HouseLink {
    enum State {
        case down
        case connecting
        /// Calls can be made.
        case up
        /// The daemon ends, or starts again.
        case closed
    }

    private let redis: RedisAccess
    private var choice: RedisChoice
    private let house: HouseName
    private let loop: Loop
    private let timer: LoopTimer
    private var calls: RedisConnection?
    private var reader: RedisConnection?
    private(set) var state = State.down
    /// Why the link is not up, or was not before it was up; `nil` if it was never tried.
    var problem: String? { choice.problem }
    /// `problem` is a refusal, so the link will hardly be up again soon.
    var isRefused: Bool { choice.isRefused }
    /// The refusals in `problem`, which an administrator may have to cure.
    var refusals: String? { choice.refusals }
    /// Why durability is only `normal`, from the settings of Redis.
    private(set) var warning: String?
    /// See `EngineSettings`.
    private var lacksFile = false
    private var nextTry: Int64 = 0
    private var lastReply: Int64 = 0
    private var lastHeartbeat: Int64 = 0
    /// A heartbeat has no reply yet.
    private var awaitsHeartbeatReply = false

    /// How many entries are read together: fewer after a reply that was too large. As few as the
    /// fewest are never too large.
    private var entriesTogether = HouseLink.mostTogether
    private static let (fewestTogether, mostTogether) = (4, 256)

    /// Redis has not answered a heartbeat.
    var isSilent: Bool { loop.now() - lastReply > Self.longestDelay }  // fits: times of a clock

    /// Microseconds. An administrator may cure what Redis refuses, which takes longer than a
    /// restart of Redis.
    private static let betweenTries: Int64 = 50_000
    private static let betweenRefusals: Int64 = 1_000_000
    private static let heartbeatInterval: Int64 = 500_000
    private static let longestDelay: Int64 = 700_000
    private static let longestSilence: Int64 = 2_000_000

    /// Called when the link has looked at the house.
    var looked: (HouseSight) -> Void = { _ in }
    var position: () -> Int = { 0 }
    /// `heartbeat` returns the words of a heartbeat, and of the question whether entries can be
    /// appended. `heartbeatReplied` is called with the reply to the heartbeat, and the microseconds
    /// that it took.
    var heartbeat: () -> (row: [String], ready: [String]) = { ([], []) }
    var heartbeatReplied: (RedisValue, Int64) -> Void = { _, _ in }
    /// Called after each heartbeat with the reason if Redis would refuse entries.
    var checked: (String?) -> Void = { _ in }

    init(_ redis: RedisAccess, _ house: HouseName, _ loop: Loop) {
        (self.redis, self.house, self.loop) = (redis, house, loop)
        choice = RedisChoice(redis.addresses)
        timer = LoopTimer(loop: loop) {}
        timer.arm(afterMicroseconds: 0)
    }

    // MARK: Turns

    /// Called once per turn.
    func attend() {
        calls?.attend()
        reader?.attend()
        if state == .closed { return }
        noteLoss()
        let now = loop.now()
        if state == .down, now >= nextTry { connect(now) }
        if state == .up, now - lastHeartbeat >= Self.heartbeatInterval, !awaitsHeartbeatReply {
            sendHeartbeat(now)
        }
        setTimer(now)
    }

    private func setTimer(_ now: Int64) {
        guard !timer.isArmed else { return }
        switch state {
        case .closed: break
        case .down: timer.arm(afterMicroseconds: max(0, nextTry - now))  // fits: times of a clock
        case .connecting: timer.arm(afterMicroseconds: Self.longestSilence)
        case .up: timer.arm(afterMicroseconds: Self.heartbeatInterval)
        }
    }

    private func noteLoss() {
        if state == .down { return }
        let ended = [calls, reader].compactMap { $0 }.first { !$0.isOpen }
        if let ended {
            lose(ended.problem ?? "the connection was closed")
        } else if loop.now() - lastReply > Self.longestSilence {
            lose("Redis does not answer")
        }
    }

    /// The link is lost, and connects again at once.
    func lose(_ reason: String) {
        if reason.isExactly(RedisStream.tooLarge) { entriesTogether = Self.fewestTogether }
        let reason = "the link to Redis is lost: \(reason)"
        // Redis may have started again.
        if state == .up { choice.lose(reason) } else { choice.fail(reason, isRefused: false) }
        end(Self.betweenTries)
    }

    /// The log cannot be followed now. The link tries the next address, or if each has refused,
    /// tries again after a second.
    func refuse(_ reason: String) {
        let haveAllFailed = choice.fail(reason, isRefused: true)
        end(haveAllFailed && isRefused ? Self.betweenRefusals : Self.betweenTries)
    }

    private func end(_ wait: Int64) {
        disconnect()
        nextTry = loop.now() + wait  // fits: a time of a clock
        if state == .closed { return }
        state = .down
        timer.arm(afterMicroseconds: wait)
    }

    func close() {
        disconnect()
        state = .closed
    }

    private func disconnect() {
        calls?.close()
        reader?.close()
        (calls, reader) = (nil, nil)
        awaitsHeartbeatReply = false
    }

    // MARK: Connecting

    private func connect(_ now: Int64) {
        (state, lastReply) = (.connecting, now)
        let signIn: [[UInt8]]?
        do throws(HouseError) { signIn = try redis.signIn() } catch {
            return refuse(error.description)
        }
        calls = RedisConnection(choice.address, loop)
        reader = RedisConnection(choice.address, loop)
        if let signIn {
            for connection in [calls, reader] {
                connection?.call(signIn) { [weak self] in self?.signedIn($0) }
            }
        }
        ask(EngineSettings.questions + [HouseFunctions.question]) { [weak self] settings in
            guard let self else { return }
            if let obstacle = settings.obstacle {
                return settings.isTransient ? lose(obstacle) : refuse(obstacle)
            }
            if settings.hasFunctions { return look() }
            call(HouseFunctions.loading) { [weak self] reply in
                guard let problem = EngineSettings.problem(ofLoading: reply) else {
                    self?.look()
                    return
                }
                self?.refuse(problem)
            }
        }
    }

    private func signedIn(_ reply: RedisValue) {
        if case .error(let text) = reply { refuse(EngineSettings.advice(on: text)) }
    }

    /// - Parameter then: called with the answers to all questions.
    private func ask(_ questions: [[String]], then: @escaping (EngineSettings) -> Void) {
        var settings = EngineSettings(lackedFile: lacksFile)
        var rest = questions.count
        for words in questions {
            call(words) { [weak self] reply in
                settings.note(words, reply)
                rest -= 1
                guard rest == 0 else { return }
                self?.lacksFile = settings.lacksFile
                then(settings)
            }
        }
    }

    private func look() {
        call(HouseFunctions.look(house, position())) { [weak self] reply in
            guard let self else { return }
            if case .error(let text) = reply { return refuse(EngineSettings.advice(on: text)) }
            (state, lastHeartbeat) = (.up, 0)
            // The timer was armed for a connect that has no reply.
            timer.arm(afterMicroseconds: Self.heartbeatInterval)
            looked(HouseSight(reply))
        }
    }

    private func sendHeartbeat(_ now: Int64) {
        (lastHeartbeat, awaitsHeartbeatReply) = (now, true)
        let (row, ready) = heartbeat()
        call(row) { [weak self] reply in
            guard let self else { return }
            heartbeatReplied(reply, loop.now() - now)
        }
        ask(EngineSettings.questions + [ready]) { [weak self] settings in
            guard let self else { return }
            awaitsHeartbeatReply = false
            warning = settings.warning
            choice.succeed()
            checked(settings.obstacle)
        }
    }

    // MARK: Calls

    func call(_ words: [String], then: @escaping (RedisValue) -> Void) {
        call(words.map { Array($0.utf8) }, then: then)
    }

    /// - Parameter then: not called if the link is lost first.
    func call(_ words: [[UInt8]], then: @escaping (RedisValue) -> Void) {
        calls?.call(words) { [weak self] reply in
            guard let self else { return }
            lastReply = loop.now()
            then(reply)
        }
    }

    /// Waits for entries after a position.
    func read(after position: Int, then: @escaping (RedisValue) -> Void) {
        reader?.call(
            [
                "XREAD", "COUNT", "\(entriesTogether)", "BLOCK", "0", "STREAMS", house.log,
                "\(position)-0",
            ], mostOfReply: RedisStream.mostOfEntries
        ) { [weak self] reply in
            if let self { entriesTogether = min(2 * entriesTogether, Self.mostTogether) }
            then(reply)
        }
    }
}
