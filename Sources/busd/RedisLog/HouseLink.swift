import BusdEventLoop
import BusdProtocol

/// The two connections to Redis: one for calls, and one that only waits for entries, so that an
/// entry is not sent before Redis has synced it.
///
/// A lost link connects again, unless it is stopped. After each connect it checks the settings of
/// Redis and looks at the house; then `RedisLog` decides how to continue.
final class HouseLink {
    enum State: Equatable {
        /// `since` is in microseconds of the loop.
        case down(since: Int64)
        case connecting(since: Int64)
        /// Calls can be made.
        case up
        /// The link does not connect again, for this reason.
        case stopped(String)
    }

    private let address: RedisAddress
    private let house: HouseName
    private let loop: Loop
    private let timer: LoopTimer
    private var calls: RedisConnection?
    private var reader: RedisConnection?
    private(set) var state: State
    /// Why the last connection ended or could not be made.
    private(set) var problem: String?
    /// Why durability is only `normal`, from the settings of Redis.
    private(set) var warning: String?
    private var lastTry: Int64 = 0
    private var lastReply: Int64 = 0
    private var lastHeartbeat: Int64 = 0
    /// A heartbeat has no reply yet.
    private var awaitsHeartbeatReply = false

    /// Microseconds.
    private static let betweenTries: Int64 = 50_000
    private static let heartbeatInterval: Int64 = 500_000
    private static let longestSilence: Int64 = 2_000_000

    /// Called when the link has looked at the house.
    var looked: (HouseView?) -> Void = { _ in }
    var position: () -> Int = { 0 }
    /// `heartbeat` returns the words of a heartbeat. `heartbeatReplied` is called with the reply,
    /// and the microseconds that it took.
    var heartbeat: () -> [String] = { [] }
    var heartbeatReplied: (RedisValue, Int64) -> Void = { _, _ in }

    init(_ address: RedisAddress, _ house: HouseName, _ loop: Loop) {
        (self.address, self.house, self.loop) = (address, house, loop)
        timer = LoopTimer(loop: loop) {}
        state = .down(since: loop.now())
        timer.arm(afterMicroseconds: 0)
    }

    // MARK: Turns

    /// Called once per turn.
    func attend() {
        calls?.attend()
        reader?.attend()
        if case .stopped = state { return }
        noteLoss()
        let now = loop.now()
        if case .down(let since) = state, now - lastTry >= Self.betweenTries {
            connect(now, downSince: since)
        }
        if state == .up, now - lastHeartbeat >= Self.heartbeatInterval, !awaitsHeartbeatReply {
            sendHeartbeat(now)
        }
        setTimer()
    }

    private func setTimer() {
        guard !timer.isArmed else { return }
        switch state {
        case .stopped: break
        case .down: timer.arm(afterMicroseconds: Self.betweenTries)
        case .connecting: timer.arm(afterMicroseconds: Self.longestSilence)
        case .up: timer.arm(afterMicroseconds: Self.heartbeatInterval)
        }
    }

    private func noteLoss() {
        if case .down = state { return }
        let ended = [calls, reader].compactMap { $0 }.first { !$0.isOpen }
        if let ended {
            lose(ended.problem ?? "the connection was closed")
        } else if loop.now() - lastReply > Self.longestSilence {
            lose("Redis does not answer")
        }
    }

    func lose(_ reason: String) {
        close()
        problem = reason
        switch state {
        case .stopped: return
        case .connecting(let since): state = .down(since: since)
        case .up, .down: state = .down(since: loop.now())
        }
        timer.arm(afterMicroseconds: Self.betweenTries)
    }

    func stop(_ reason: String) {
        close()
        state = .stopped(reason)
    }

    func close() {
        calls?.close()
        reader?.close()
        (calls, reader) = (nil, nil)
        awaitsHeartbeatReply = false
    }

    // MARK: Connecting

    private func connect(_ now: Int64, downSince since: Int64) {
        (lastTry, lastReply) = (now, now)
        state = .connecting(since: since)
        let calls = RedisConnection(address, loop)
        (self.calls, reader) = (calls, RedisConnection(address, loop))
        var settings = EngineSettings()
        for words in EngineSettings.questions {
            calls.call(words) { [weak self] reply in self?.replied { settings.note(words, reply) } }
        }
        calls.call(["FUNCTION", "LOAD", "REPLACE", HouseFunctions.code]) { [weak self] reply in
            self?.replied { settings.noteLoading(reply) }
        }
        let look = Self.look(house, position())
        calls.call(look) { [weak self] reply in self?.replied { self?.connected(settings, reply) } }
    }

    static func look(_ house: HouseName, _ position: Int) -> [String] {
        ["FCALL_RO", "busd_1_look", "2", house.head, house.log, "\(position)"]
    }

    private func replied(_ body: () -> Void) {
        lastReply = loop.now()
        body()
    }

    private func connected(_ settings: EngineSettings, _ look: RedisValue) {
        guard case .connecting = state else { return }
        if let reason = settings.notReady { return lose(reason) }
        if let reason = settings.obstacle { return stop(reason) }
        if case .error(let text) = look { return lose(text) }
        (state, problem, warning) = (.up, nil, settings.warning)
        lastHeartbeat = 0
        looked(HouseView(look))
    }

    private func sendHeartbeat(_ now: Int64) {
        (lastHeartbeat, awaitsHeartbeatReply) = (now, true)
        call(heartbeat()) { [weak self] reply in
            guard let self else { return }
            awaitsHeartbeatReply = false
            heartbeatReplied(reply, loop.now() - now)
        }
    }

    // MARK: Calls

    func call(_ words: [String], then: @escaping (RedisValue) -> Void) {
        call(words.map { Array($0.utf8) }, then: then)
    }

    /// - Parameter then: not called if the link is lost first.
    func call(_ words: [[UInt8]], then: @escaping (RedisValue) -> Void) {
        calls?.call(words) { [weak self] reply in self?.replied { then(reply) } }
    }

    /// Waits for entries after a position.
    func read(after position: Int, then: @escaping (RedisValue) -> Void) {
        reader?.call(
            ["XREAD", "COUNT", "256", "BLOCK", "0", "STREAMS", house.log, "\(position)-0"],
            then: then)
    }
}
