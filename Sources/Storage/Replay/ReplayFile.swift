import BusdFiles
package import BusdProtocol

/// A backup that is replayed. The file is only read, and nothing is written beside it.
package struct ReplayFile {
    private let connection: Database
    private let kinds: [String]
    private var plan: ReplayPlan
    /// The number and the time of the newest entry.
    package private(set) var newest = 0
    package private(set) var end = Instant(microseconds: 0)
    /// The time of the first entry that is replayed.
    package private(set) var start: Instant?
    /// Things that are in the backup, but not whole in its log, such as "game 7".
    package private(set) var omitted: [String] = []
    /// Numbers of damaged entries.
    private var damaged: [Int] = []

    /// Entries that are applied next, the next one last.
    private var upcoming: [LogEntry] = []
    /// The number of the last entry that was read.
    private var position = 0
    private var lastTime = Instant(microseconds: 0)

    /// Reads the log once, to learn which things it has whole.
    ///
    /// - Parameter kinds: entries and states of other kinds are not read.
    package init(path: String, of daemon: StoreDaemon, kinds: [HistoricKind]) throws(StoreError) {
        guard let status = try FileStatus(of: path, followsLink: true) else {
            throw .unsuitable(path: path, reason: "is not there")
        }
        try status.requireRegular(path, remedy: "name a file that the verb backup has made")
        try daemon.requireOwn(realPath(path) ?? path, named: path)
        connection = try Self.connect(path)
        self.kinds = kinds.map(\.name)
        plan = ReplayPlan(kinds)
        try verify()
        try survey()
        for kind in self.kinds { try readStates(of: kind) }
        rewind()
        start = try peek()?.time
    }

    private static func connect(_ path: String) throws(StoreError) -> Database {
        do throws(StoreError) {
            let connection = try Database(path: path, .reading)
            _ = try connection.version()
            return connection
        } catch  where error.isDamage {
            throw .unsuitable(
                path: path, reason: "is no backup of a daemon, or is damaged: it is no database")
        }
    }

    private func verify() throws(StoreError) {
        let version = try connection.version()
        let sql = "SELECT count(*) FROM sqlite_schema WHERE name IN ('log', 'state')"
        guard version == Schema.version, try connection.integer(sql) == 2 else {
            throw .unsuitable(
                path: connection.path,
                reason: "is no backup of this version: make one with the verb backup")
        }
        if let damage = try connection.findDamage() { throw damage }
    }

    private mutating func survey() throws(StoreError) {
        while case let portion = try read(), portion.last > 0 {
            damaged += portion.damaged
            for entry in portion.entries {
                plan.take(entry)
                (newest, end) = (entry.number, max(end, entry.time))
            }
        }
    }

    private mutating func readStates(of kind: String) throws(StoreError) {
        var (library, lastEntries): (SavedState?, [ThingKey: Int]) = (nil, [:])
        try connection.forEachState(of: kind) { state in
            if state.id.isEmpty {
                library = state
            } else {
                lastEntries[ThingKey(kind, state.id)] = state.lastEntry
            }
        }
        omitted += plan.complete(kind, library: library, lastEntries: lastEntries)
    }

    /// The next rows of the log.
    private mutating func read() throws(StoreError) -> LogPortion {
        let portion = try connection.entries(after: position, upTo: nil, of: kinds)
        if portion.last > 0 { position = portion.last }
        return portion
    }

    // MARK: Entries

    /// Damaged entries, such as "3, 7 to 9"; `nil`: there are none.
    package var damage: String? { damaged.isEmpty ? nil : "\(NumberList(damaged))" }

    /// The next entry of the replay; `nil` after the last. Its time is not before that of the one
    /// before it.
    package mutating func peek() throws(StoreError) -> LogEntry? {
        while upcoming.isEmpty {
            let portion = try read()
            guard portion.last > 0 else { return nil }
            for entry in portion.entries {
                lastTime = max(lastTime, entry.time)
                upcoming += plan.steps(for: entry).map { step in
                    var step = step
                    step.time = lastTime
                    return step
                }
            }
            upcoming.reverse()
        }
        return upcoming.last
    }

    /// Moves on to the entry behind the next one.
    package mutating func skip() { _ = upcoming.popLast() }

    /// The thing of the entry stays as it is: no later entry of it is applied.
    package mutating func drop(_ entry: LogEntry) {
        guard !entry.id.isEmpty else { return }
        plan.drop(entry)
        upcoming.removeAll { ThingKey($0.kind, $0.id) == ThingKey(entry.kind, entry.id) }
    }

    /// The next entry is the first again.
    package mutating func rewind() { (position, upcoming, lastTime) = (0, [], .distantPast) }

    // Times that go back count as the last.

    /// The number of the entry before the first one that is later than `time`.
    ///
    /// - Parameter known: this entry is not later.
    package func position(at time: Instant, after known: Int = 0) throws(StoreError) -> Int {
        let next = try number(
            "n", where: "time > ?1 AND n > \(known)", Int(widening: time.microseconds),
            "ORDER BY n LIMIT 1")
        return next.map { max(known, min($0, newest) - 1) } ?? newest  // fits: a number of an entry
    }

    /// The time after this entry.
    package func time(of number: Int) throws(StoreError) -> Instant {
        let time = try self.number("max(time)", where: "n <= ?1", number)
        return min(Instant(microseconds: Int64(time ?? 0)), end)  // fits: it is a number of a row
    }

    private static let mostExcluded = 10_000

    private func number(
        _ value: String, where condition: String, _ bound: Int, _ order: String = ""
    ) throws(StoreError) -> Int? {
        let places = kinds.indices.map { "?\($0 + 2)" }.joined(separator: ", ")
        let lost = damaged.prefix(Self.mostExcluded).map { String($0) }.joined(separator: ", ")
        let sql = """
            SELECT \(value) FROM log WHERE \(condition) AND kind IN (\(places))
            AND typeof(time) = 'integer' AND n NOT IN (\(lost)) \(order)
            """
        return try connection.once(sql).firstRow([.integer(bound)] + kinds.map { .text($0) })?
            .first?.number
    }
}
