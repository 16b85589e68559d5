import BusdProtocol

/// Cuts the history of the longest things, so that the log does not grow without bound.
///
/// It measures all histories first, and chooses the longest. The newest entry of each chosen thing
/// is replaced by the saved state; then all older entries of the thing are removed. So the log
/// still says everything. If the cut is interrupted, older entries stay until the next cut.
///
/// The creation of a thing is an entry of its library. If the library itself is cut, all its things
/// are cut too, because their creations go.
struct LogCut {
    private struct History {
        var bytes = 0
        var entries = 0
        /// `previous` of the first entry: the creation of the thing.
        let creation: Int

        init(creation: Int) { self.creation = creation }

        mutating func add(_ more: Int) {
            bytes += more
            entries += 1
        }
    }

    private enum Stage {
        case measuring
        case awaitingStates
        /// Looks whether the libraries can be cut.
        case checking(ArraySlice<SavedState>, all: [SavedState])
        case writing(ArraySlice<SavedState>)
        case removing
    }

    private let limit: Int
    private var stage = Stage.measuring
    private var histories: [ThingKey: History] = [:]
    private var chosen: Set<ThingKey> = []
    /// The newest entry of each chosen library.
    private var libraryEntries: [ThingKey: Int] = [:]
    /// The entry that has the state of each thing.
    private var cuts: [ThingKey: Int] = [:]
    /// The number of the last entry that the present stage has seen.
    private var last = 0
    /// How many entries of each thing the log no longer has.
    private var removed: [ThingKey: Int] = [:]

    private static let rows = 1_024
    /// Bytes of states that are written together.
    private static let portion = 256 << 10
    /// Bytes of a row beside its texts and its body.
    private static let overhead = 64

    /// - Parameter limit: bytes that the log may have.
    init(limit: Int) { self.limit = limit }

    var awaitsStates: Bool { if case .awaitingStates = stage { true } else { false } }

    /// - Parameter states: the saved states of the chosen things, and of the things of the chosen
    ///   libraries. A library comes after its things.
    mutating func begin(with states: [SavedState]) {
        guard awaitsStates else { return }
        for library in states where library.id.isEmpty {
            libraryEntries[ThingKey(library.kind, "")] = library.lastEntry
            if library.lastEntry == 0 { chosen.remove(ThingKey(library.kind, "")) }
        }
        stage = .checking(states[...], all: states)
    }

    mutating func goOn(_ connection: Database) throws(StoreError) -> LogTidying.Outcome {
        switch stage {
        case .measuring: try measure(connection)
        case .awaitingStates: .more
        case .checking(let states, let all): try check(states, all, connection)
        case .writing(let states): try write(states, connection)
        case .removing: try remove(connection)
        }
    }

    // MARK: The longest histories

    private mutating func measure(_ connection: Database) throws(StoreError) -> LogTidying.Outcome {
        let sql = """
            SELECT n, kind, id, prev, length(body) FROM log WHERE n > ?1
            ORDER BY n LIMIT \(Self.rows)
            """
        let before = last
        try connection.statement(sql).forEach([.integer(last)]) { row throws(StoreError) in
            guard let number = row[0].number else { return true }
            last = number
            guard let kind = row[1].text, let id = row[2].text else { return true }
            let bytes = kind.utf8.count + id.utf8.count + (row[4].number ?? 0)
            histories[ThingKey(kind, id), default: History(creation: row[3].number ?? 0)]
                .add(bytes &+ Self.overhead)
            return true
        }
        guard last == before else { return .more }
        choose(used: try connection.usedBytes())
        guard !chosen.isEmpty else { return .cut(nil) }
        (stage, last) = (.awaitingStates, 0)
        // The states of a library come with those of its things.
        return .needs(
            chosen.filter { $0.id.text.isEmpty || !chosen.contains(ThingKey($0.kind.text, "")) })
    }

    /// Chooses the longest histories, until the log will have half of its limit.
    private mutating func choose(used: Int) {
        var excess = used - limit / 2  // fits: it is not 0
        let longest = histories.filter { $0.value.entries > 1 }.sorted {
            ($0.value.bytes, $0.key) > ($1.value.bytes, $1.key)
        }
        for (key, history) in longest {
            guard excess > 0 else { return }
            chosen.insert(key)
            excess -= history.bytes
        }
    }

    // MARK: States in place of entries

    /// A library is cut with all its things or not at all: without its creation, a thing would get
    /// another id when the entries are applied again.
    private mutating func check(
        _ states: ArraySlice<SavedState>, _ all: [SavedState], _ connection: Database
    ) throws(StoreError) -> LogTidying.Outcome {
        for state in states.prefix(LogTidying.portion) {
            let library = ThingKey(state.kind, "")
            if chosen.contains(library), state.lastEntry > 0, try form(of: state, connection) == nil
            {
                chosen.remove(library)
            }
        }
        let rest = states.dropFirst(LogTidying.portion)
        stage = rest.isEmpty ? .writing(all[...]) : .checking(rest, all: all)
        return .more
    }

    private mutating func write(
        _ states: ArraySlice<SavedState>, _ connection: Database
    ) throws(StoreError) -> LogTidying.Outcome {
        var (rest, bytes) = (states, 0)
        try connection.transaction { () throws(StoreError) in
            while bytes < Self.portion, let state = rest.popFirst() {
                guard let new = try form(of: state, connection) else { continue }
                bytes += new.body.count
                try connection.replace(new)
                cuts[ThingKey(new.kind, new.id)] = new.number
            }
        }
        stage = rest.isEmpty ? .removing : .writing(rest)
        return .more
    }

    /// The entry with the state, in place of the newest entry of the thing, also of a lost one.
    /// `nil`: the thing is not cut, or that entry is the newest of the log or of its library.
    private func form(
        of state: SavedState, _ connection: Database
    ) throws(StoreError) -> LogEntry? {
        let key = ThingKey(state.kind, state.id)
        let isOfCutLibrary = chosen.contains(ThingKey(state.kind, ""))
        guard isOfCutLibrary || chosen.contains(key), state.lastEntry > 0,
            let body = try? state.sharedForm,
            state.lastEntry < (try connection.newestEntry())
        else { return nil }
        let lost = LogEntry(
            number: state.lastEntry, time: .distantPast, kind: state.kind, id: state.id)
        let entry = try connection.entry(state.lastEntry) ?? lost
        let isOwn = entry.isOf(state.kind, state.id)
        // A thing that has not changed since its creation.
        let isCreation = entry.isCreation && entry.isOfLibrary(state.kind)
        let isLastOfLibrary = libraryEntries[ThingKey(state.kind, "")] == state.lastEntry
        guard isOwn || isCreation && isOfCutLibrary && !isLastOfLibrary else { return nil }
        var new = LogEntry(
            number: entry.number, time: entry.time, kind: state.kind, id: state.id, by: entry.by,
            body: body)
        (new.uid, new.daemon, new.holdsState) = (entry.uid, entry.daemon, true)
        if isOwn, entry.isSentToLibrary { (new.isSentToLibrary, new.key) = (true, entry.key) }
        new.previous = isOfCutLibrary ? new.number : histories[key]?.creation ?? 0
        return new
    }

    // MARK: Older entries

    private mutating func remove(
        _ connection: Database
    ) throws(StoreError) -> LogTidying.Outcome {
        guard let end = cuts.values.max() else { return .cut(nil) }
        let sql = """
            SELECT n, kind, id, key_of_library, key FROM log WHERE n > ?1 AND n < ?2
            ORDER BY n LIMIT \(Self.rows)
            """
        var (superfluous, keys): ([Int], [Int]) = ([], [])
        var counts: [ThingKey: Int] = [:]
        let before = last
        try connection.statement(sql).forEach([.integer(last), .integer(end)]) {
            row throws(StoreError) in
            guard let number = row[0].number else { return true }
            last = number
            guard let kind = row[1].text, let id = row[2].text,
                case let key = ThingKey(kind, id), let cut = cuts[key], number < cut
            else { return true }
            let isKeyOfLibrary = row[3].number == 1 && row[4] != .null
            if isKeyOfLibrary, cuts[ThingKey(kind, "")] == nil {
                keys.append(number)
            } else {
                superfluous.append(number)
                counts[key, default: 0] += 1
            }
            return true
        }
        guard last > before else { return .cut(report) }
        guard !superfluous.isEmpty || !keys.isEmpty else { return .more }
        try connection.transaction { () throws(StoreError) in
            for number in superfluous { try connection.deleteEntry(number) }
            for number in keys {
                if let entry = try connection.entry(number) {
                    try connection.replace(entry.keyOfLibrary)
                }
            }
        }
        removed.merge(counts, uniquingKeysWith: +)
        return .more
    }

    private var report: String? {
        guard !removed.isEmpty else { return nil }
        let longest = removed.sorted { ($0.value, $0.key) > ($1.value, $1.key) }
        let names = longest.prefix(3).map { "\($0.value) of \($0.key)" }
        let rest = longest.dropFirst(3)
        let others =
            rest.isEmpty ? [] : ["\(rest.map(\.value).reduce(0, +)) of \(rest.count) others"]
        let total = longest.map(\.value).reduce(0, +)
        return "the log had more than three quarters of its \(limit) bytes: \(total) old entries "
            + "were replaced by states: \((names + others).joined(separator: ", "))"
    }
}

extension ThingKey: Comparable {
    static func < (left: Self, right: Self) -> Bool {
        (left.kind, left.id) < (right.kind, right.id)
    }
}
