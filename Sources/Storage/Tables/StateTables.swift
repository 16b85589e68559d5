import BusdProtocol

// The tables of state.sqlite.

/// Identifies a thing in the store.
struct ThingKey: Hashable {
    let kind: ExactText
    /// Empty: the library itself.
    let id: ExactText

    init(_ kind: String, _ id: String) { (self.kind, self.id) = (ExactText(kind), ExactText(id)) }
}

/// The daemon ran at this time, and the log had this entry.
struct Note: Equatable, Sendable {
    var time: Instant
    /// The newest entry.
    var number: Int
    /// The states are as of this entry.
    var covered: Int
}

/// Entries to be removed from the log: all entries of a deleted thing, or the older entries of a
/// thing without a history. A removal is stored until it is complete.
struct Removal: Equatable, Sendable {
    let kind: String
    let id: String
    /// The newest entry of the thing.
    let lastEntry: Int
    /// False: the newest entry stays in the log.
    let isOfDeleted: Bool
    /// In the table; 0: not stored yet.
    var place = 0

    /// `nil` if the change removes nothing from the log.
    init?(_ change: StateChange) {
        switch change {
        case .save(let state, keepsHistory: false) where state.lastEntry > 0:
            (kind, id, lastEntry) = (state.kind, state.id, state.lastEntry)
            isOfDeleted = false
        case .save, .amend: return nil
        case .remove(let kind, let id, let lastEntry):
            (self.kind, self.id, self.lastEntry, isOfDeleted) = (kind, id, lastEntry, true)
        }
    }

    fileprivate init?(_ row: [SQLValue]) {
        guard let place = row[0].number, let kind = row[1].text, let id = row[2].text,
            let lastEntry = row[3].rowNumber, let isOfDeleted = row[4].number
        else { return nil }
        (self.place, self.kind, self.id) = (place, kind, id)
        (self.lastEntry, self.isOfDeleted) = (lastEntry, isOfDeleted == 1)
    }
}

/// The text that a user has typed into a form and not submitted yet.
package struct SavedDraft: Equatable, Sendable {
    package var kind: String
    package var address: String
    package var body: [UInt8]

    package init(kind: String, address: String, body: [UInt8]) {
        (self.kind, self.address, self.body) = (kind, address, body)
    }
}

/// Everything that could be read from the tables.
struct StateTables {
    private(set) var states: [ThingKey: SavedState] = [:]
    private(set) var note: Note?
    private(set) var removals: [Removal] = []
    private(set) var drafts: [SavedDraft] = []
    private var hasDamagedRow = false
    /// Why some rows could not be read; `nil` if all were read.
    private(set) var damage: StoreError?

    init(_ states: [SavedState] = [], note: Note? = nil) {
        self.note = note
        for state in states { self.states[ThingKey(state.kind, state.id)] = state }
    }

    /// - Parameter isWhole: see `KindCheck.check`.
    init(
        of connection: Database, _ kinds: [KindCheck] = [], isWhole: Bool = false
    ) throws(StoreError) {
        damage = try connection.findDamage()
        var scan = TableScan(of: "state", by: "place", columns: 9, connection)
        try scan.readAll { _, row in take(row, kinds, isWhole) }
        damage = damage ?? scan.damage
        for row in try wholeRows(of: "note", columns: 5, connection) {
            guard let time = row[1].instant, let number = row[2].rowNumber,
                let covered = row[3].rowNumber
            else {
                hasDamagedRow = true
                continue
            }
            note = Note(time: time, number: number, covered: covered)
        }
        removals = try wholeRows(of: "removal", columns: 6, connection).compactMap { Removal($0) }
        for row in try wholeRows(of: "draft", columns: 5, connection) {
            guard let kind = row[1].text, let address = row[2].text, let body = row[3].blob
            else { continue }
            drafts.append(SavedDraft(kind: kind, address: address, body: body))
        }
        if hasDamagedRow { damage = damage ?? .damage("a row is damaged", path: connection.path) }
        if !areOfOneMoment {
            dropUnlisted()
            damage = damage ?? .damage("its rows are of different moments", path: connection.path)
        }
    }

    /// Whether there is a state for each thing that its library lists, and for each library.
    var areComplete: Bool {
        states.values.allSatisfy { state in
            guard let libraryState = state.libraryState else {
                return !state.id.isEmpty && states[ThingKey(state.kind, "")] != nil
            }
            return libraryState.ids.allSatisfy { states[ThingKey(state.kind, $0)] != nil }
        }
    }

    /// The states are as of this entry. Without a note, it is the newest entry of all things: no
    /// later entry has changed a state.
    var covered: Int {
        note?.covered ?? states.values.map(\.lastEntry).max() ?? 0
    }

    /// False if the file was put beside the write-ahead log of another moment: then SQLite reads
    /// pages of both.
    private var areOfOneMoment: Bool {
        states.values.allSatisfy { $0.lastEntry <= covered } && removals.allSatisfy(covers)
    }

    /// Whether the states have what the removal takes from the log.
    private func covers(_ removal: Removal) -> Bool {
        guard removal.lastEntry <= covered else { return false }
        guard let state = states[ThingKey(removal.kind, removal.id)] else { return true }
        // A thing that was deleted and made again has a later entry.
        return removal.isOfDeleted
            ? state.lastEntry > removal.lastEntry : state.lastEntry >= removal.lastEntry
    }

    /// Drops new things that are not in their library: the log has their entries.
    private mutating func dropUnlisted() {
        var listed: [ExactText: Set<ExactText>] = [:]
        for state in states.values {
            guard let ids = state.libraryState?.ids else { continue }
            listed[ExactText(state.kind)] = Set(ids.map { ExactText($0) })
        }
        let covered = covered
        states = states.filter { key, state in
            state.lastEntry <= covered || key.id.text.isEmpty
                || listed[key.kind]?.contains(key.id) ?? true
        }
    }

    private mutating func take(_ row: [SQLValue], _ kinds: [KindCheck], _ isWhole: Bool) {
        guard let state = SavedState(row), kinds.problem(of: state, isWhole: isWhole) == nil else {
            hasDamagedRow = true
            return
        }
        let key = ThingKey(state.kind, state.id)
        if let known = states[key] {
            // A page with older rows was written to a second place.
            hasDamagedRow = true
            guard state.lastEntry > known.lastEntry else { return }
        }
        states[key] = state
    }

    private mutating func wholeRows(
        of table: String, columns: Int, _ connection: Database
    ) throws(StoreError) -> [[SQLValue]] {
        var rows: [[SQLValue]] = []
        do {
            let statement = try connection.once("SELECT * FROM \(table) ORDER BY place")
            try statement.forEach { row throws(StoreError) in
                rows.append(row)
                return true
            }
        } catch  where error.isDamageOfRow {
            damage = damage ?? error
        }
        let whole = rows.filter { $0.count == columns && $0[1...].isWhole }
        if whole.count < rows.count { hasDamagedRow = true }
        return whole
    }
}

extension SavedState {
    /// `nil` if the row is damaged.
    fileprivate init?(_ row: [SQLValue]) {
        guard row.count == 9, let kind = row[1].text, let id = row[2].text,
            let lastEntry = row[3].rowNumber,
            let lastEffect = row[4].rowNumber,
            let summary = row[5].blob, let body = row[6].blob, let keys = row[7].blob,
            row[1...].isWhole
        else { return nil }
        self.init(
            kind: kind, id: id, lastEntry: lastEntry, lastEffect: lastEffect, summary: summary,
            body: body, keys: keys)
    }
}

extension Database {
    func put(_ state: SavedState) throws(StoreError) {
        let row: [SQLValue] = [
            .text(state.kind), .text(state.id), .integer(state.lastEntry),
            .integer(state.lastEffect), .blob(state.summary), .blob(state.body),
            .blob(state.keys),
        ]
        try put([.null] + row.withChecksum, into: "state")
    }

    /// The states of things, and of libraries with all their things. A library comes after its
    /// things.
    func states(of things: [ThingKey]) throws(StoreError) -> [SavedState] {
        var states: [SavedState] = []
        for thing in things where !thing.id.text.isEmpty {
            if let state = try state(thing) { states.append(state) }
        }
        for library in things where library.id.text.isEmpty {
            states += try self.states(of: library.kind.text)
        }
        return states
    }

    /// `nil` if the row is missing or damaged.
    private func state(_ key: ThingKey) throws(StoreError) -> SavedState? {
        let sql = "SELECT * FROM state WHERE kind = ?1 AND id = ?2"
        let row = try statement(sql).firstRow([.text(key.kind.text), .text(key.id.text)])
        return row.flatMap(SavedState.init)
    }

    /// The states of all things of a kind, and then of their library. Empty if a row is damaged.
    private func states(of kind: String) throws(StoreError) -> [SavedState] {
        var (states, isWhole): ([SavedState], Bool) = ([], true)
        let sql = "SELECT * FROM state WHERE kind = ?1 ORDER BY id = '', place"
        try statement(sql).forEach([.text(kind)]) { row throws(StoreError) in
            if let state = SavedState(row) { states.append(state) } else { isWhole = false }
            return isWhole
        }
        return isWhole ? states : []
    }

    /// Calls `body` with each undamaged state of a kind.
    func forEachState(
        of kind: String, _ body: (SavedState) throws(StoreError) -> Void
    ) throws(StoreError) {
        let sql = "SELECT * FROM state WHERE kind = ?1 ORDER BY place"
        try statement(sql).forEach([.text(kind)]) { row throws(StoreError) in
            if let state = SavedState(row) { try body(state) }
            return true
        }
    }

    func deleteState(_ kind: String, _ id: String) throws(StoreError) {
        try statement("DELETE FROM state WHERE kind = ?1 AND id = ?2").run([.text(kind), .text(id)])
    }

    func put(_ note: Note) throws(StoreError) {
        let row: [SQLValue] = [
            .integer(note.time.microseconds), .integer(note.number), .integer(note.covered),
        ]
        try put([.integer(1)] + row.withChecksum, into: "note")
    }

    /// Returns the removal with its place.
    func put(_ removal: Removal) throws(StoreError) -> Removal {
        let row: [SQLValue] = [
            .text(removal.kind), .text(removal.id), .integer(removal.lastEntry),
            .integer(removal.isOfDeleted ? 1 : 0),
        ]
        try put([.null] + row.withChecksum, into: "removal")
        var removal = removal
        removal.place = lastPlace
        return removal
    }

    func deleteRemoval(_ place: Int) throws(StoreError) {
        try statement("DELETE FROM removal WHERE place = ?1").run([.integer(place)])
    }

    func replaceDrafts(with drafts: [SavedDraft]) throws(StoreError) {
        try statement("DELETE FROM draft").run()
        for draft in drafts {
            let row: [SQLValue] = [.text(draft.kind), .text(draft.address), .blob(draft.body)]
            try put([.null] + row.withChecksum, into: "draft")
        }
    }
}
