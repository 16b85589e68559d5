import BusdHosting
import BusdOptions
import BusdProtocol
import BusdStorage

/// Serves a backup again: the entries of its log arrive at their own times.
///
/// The next entry is a timer on the timeline of the bus. So entries and the timers of view models
/// happen in the order of their times, at any speed, and each entry is one update.
final class Replay {
    private let settings: ReplaySettings
    private let timeline: Timeline
    private let hands: any Advancing
    private let log: DaemonLog
    /// The time of the loop.
    private let loopTime: () -> Int64
    private let libraries: Libraries
    private let entries: ReplayLog
    private var file: ReplayFile
    private var pace: Pace
    private var timer: ScheduledAction?
    /// At the end of a move.
    private var arrival: ScheduledAction?
    /// No entry behind this one is applied now.
    private var limit = Int.max
    /// The number of the newest entry that has been applied.
    private(set) var applied = 0
    /// The replay goes back: the daemon must serve again from here.
    private(set) var restart: ReplaySettings?
    /// Why the file could not be read to its end.
    private(set) var failure: StoreError?
    /// Called after each change of `status`.
    var whenMoved: () -> Void = {}

    /// Call it when all libraries have been made. Applies the entries up to the first position.
    ///
    /// - Parameter entries: the log of these libraries.
    /// - Parameter loopTime: the time of the loop.
    init(
        _ settings: ReplaySettings, of daemon: StoreDaemon, _ entries: ReplayLog, _ host: Host,
        _ log: DaemonLog, loopTime: @escaping () -> Int64
    ) throws {
        (self.settings, self.entries, hands, self.log) = (settings, entries, host.outbox, log)
        (timeline, libraries, self.loopTime) = (host.timeline, host.libraries, loopTime)
        if settings.file == nil { log.info("reading \(settings.path)") }
        file = try settings.file ?? Self.open(settings.path, of: daemon, libraries.historicKinds)
        pace = Pace(speed: settings.speed, from: timeline.now)
        if settings.file == nil { reportOmissions() }
        guard let start = file.start else {
            throw StartError("\(settings.path): its log has nothing to replay", .badInput)
        }
        let (entry, time) = try firstPlace(of: settings.position ?? .time(start, within: 1))
        while let next = try file.peek(), next.number <= entry { apply(next) }
        (applied, limit) = (entry, entry)
        timeline.move(to: time)
        pace.stand(at: time)
        if settings.isPaused { schedule() } else { resume() }
    }

    private static func open(
        _ path: String, of daemon: StoreDaemon, _ kinds: [HistoricKind]
    ) throws -> ReplayFile {
        do {
            return try ReplayFile(path: path, of: daemon, kinds: kinds)
        } catch {
            throw StartError("\(error)", .badInput)
        }
    }

    private func reportOmissions() {
        if let damage = file.damage {
            log.warning("\(settings.path): damaged entries: \(damage)")
        }
        var rest = file.omitted[...]
        while !rest.isEmpty {
            let names = rest.prefix(Self.namedTogether).joined(separator: ", ")
            log.warning("the history is not whole in \(settings.path), so left out: \(names)")
            rest = rest.dropFirst(Self.namedTogether)
        }
    }

    private static let namedTogether = 20
    /// A longer way ahead is not shown entry by entry.
    private static let mostShown = 10_000

    // MARK: Places

    private func firstPlace(of position: ReplayPosition) throws -> (entry: Int, time: Instant) {
        do {
            return try place(of: position)
        } catch let error as StartError {
            throw StartError("\(settings.path): \(error)", error.status)
        }
    }

    /// The entry and the time of a position.
    private func place(of position: ReplayPosition) throws -> (entry: Int, time: Instant) {
        let start = file.start ?? file.end
        switch position {
        case .entry(let number):
            guard 0...file.newest ~= number else {
                throw StartError(
                    "there is no entry \(number): the last is \(file.newest)", .usage)
            }
            return (number, max(try file.time(of: number), start))
        case .time(let time, let span):
            // fits: both are below the year 10000
            guard time <= file.end, start.utc.seconds < time.utc.seconds + span else {
                throw StartError(
                    "the backup has \(start.isoText) to \(file.end.isoText), not \(time.isoText)",
                    .usage)
            }
            let place = min(max(time, start), file.end)
            let known = place >= now ? applied : 0
            return (try file.position(at: place, after: known), place)
        }
    }

    // MARK: Entries

    /// Sets the timer of the next entry.
    private func schedule() {
        timer = nil
        guard let next else { return finish() }
        guard next.number <= limit else { return }
        timer = timeline.schedule(at: next.time) { [weak self] in self?.play() }
    }

    private func play() {
        guard let next, next.number <= limit, next.time <= now else {
            return schedule()
        }
        apply(next)
        applied = max(applied, next.number)
        schedule()
        whenMoved()
    }

    private func apply(_ entry: LogEntry) {
        file.skip()
        guard let reason = entries.apply(entry, to: libraries) else { return }
        let name = "entry \(entry.number) of \(entry.kind.printable) \(entry.id.printable)"
        log.error("\(name) cannot be read, so its thing stays as it was: \(reason)")
        file.drop(entry)
    }

    /// The next entry; `nil` behind the last.
    var next: LogEntry? {
        do {
            return try file.peek()
        } catch {
            if failure == nil { log.error("the replay ends: \(error)") }
            failure = error
            return nil
        }
    }

    /// Lets a replay that stands apply its next entry.
    func allowNext() {
        limit = next?.number ?? .max
        schedule()
    }

    private func finish() {
        guard !pace.isPaused else { return }
        pace.stand(at: now)
        whenMoved()
    }

    // MARK: Time

    var now: Instant { timeline.now }

    /// The time that the bus must have at this time of the loop.
    func time(at loopTime: Int64) -> Instant { min(pace.time(at: loopTime), max(file.end, now)) }

    /// Microseconds until then; `nil`: the replay stands.
    func delay(until instant: Instant, at loopTime: Int64) -> Int64? {
        pace.delay(until: instant, at: loopTime)
    }
}

// What `bus/clock` does. Each method returns whether it changes anything.
extension Replay {
    var status: BusClock.ViewModelEvent {
        .replay(
            entry: applied, last: file.newest, time: now.utc, speed: settings.speed,
            isPaused: pace.isPaused)
    }

    func pause() -> Bool {
        guard !pace.isPaused else { return false }
        pace.stand(at: now)
        whenMoved()
        return true
    }

    @discardableResult
    func resume() -> Bool {
        guard pace.isPaused else { return false }
        limit = .max
        pace.run(from: now, at: loopTime())
        schedule()
        whenMoved()
        return !pace.isPaused
    }

    func advance(by span: Duration) -> Bool {
        go(to: .time(min(now + span, max(file.end, now)), within: 1))
    }

    /// Why the replay cannot go there; `nil` if it can.
    func problem(of position: ReplayPosition) -> String? {
        do {
            _ = try place(of: position)
            return nil
        } catch {
            return "\(error)"
        }
    }

    func go(to position: ReplayPosition) -> Bool {
        guard let (entry, time) = try? place(of: position) else { return false }
        // fits: both are numbers of entries
        guard entry >= applied, entry - applied <= Self.mostShown, time >= now else {
            restart = settings.from(position, isPaused: pace.isPaused, file)
            return true
        }
        limit = pace.isPaused ? entry : .max
        return move(to: time)
    }

    private func move(to time: Instant) -> Bool {
        let isDue = next.map { $0.number <= limit && $0.time <= time } ?? false
        let moves = isDue || time > now
        pace.jump(to: time, at: loopTime())
        schedule()
        hands.advance(by: max(.zero, time - now))
        arrival = timeline.schedule(at: time) { [weak self] in self?.whenMoved() }
        return moves
    }
}
