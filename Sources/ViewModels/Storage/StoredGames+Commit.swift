import Protocol
import ViewModels

// A commit takes off with what has changed, and lands, or all goes back to what is kept.

extension StoredGames {
    /// What a commit has taken along.
    struct Flight {
        enum Fate {
            case kept(PackedGame)
            case deleted
        }

        var games: [GameID: Fate] = [:]
        /// Running games of which the time alone is written.
        var times: [GameID: PackedGame] = [:]
        var nextID: GameID?
    }

    var hasChanges: Bool { !touched.isEmpty || markedAt != nil }

    /// Notes the time of the games that are running, so that it outlives the program.
    func markRunning(at now: Instant) {
        if !running.isEmpty { markedAt = now }
    }

    /// Nothing else may be in flight.
    func takeOff(with transaction: inout Transaction) {
        if nextID != keptNextID { flight.nextID = nextID }
        transaction.nextID = flight.nextID
        for (id, touch) in touched {
            if let write = write(id, touch) { transaction.games.append(write) }
        }
        if let markedAt {
            for id in running where touched[id] == nil {
                if let write = writeTime(of: id, at: markedAt) { transaction.games.append(write) }
            }
        }
        touched = [:]
        markedAt = nil
    }

    private func write(_ id: GameID, _ touch: Touch) -> GameWrite? {
        if deleted.contains(id) { return writeDeletion(of: id) }
        guard let game = unpacked[id] else { return nil }
        var packed = kept[id] ?? PackedGame(home: game.home, away: game.away)
        let before = packed.moves.count
        let now = max(touch.last, markedAt ?? touch.last)
        packed.become(game, at: now, sharing: touch.common)
        flight.games[id] = .kept(packed)
        return .put(id, packed, common: touch.common, before: before)
    }

    private func writeDeletion(of id: GameID) -> GameWrite? {
        guard kept[id] != nil else {
            // Made and deleted since the last commit.
            deleted.remove(id)
            return nil
        }
        flight.games[id] = .deleted
        return .delete(id)
    }

    private func writeTime(of id: GameID, at now: Instant) -> GameWrite? {
        guard var packed = kept[id], let game = unpacked[id] else { return nil }
        packed.mark(game, at: now)
        flight.times[id] = packed
        let count = packed.moves.count
        return .put(id, packed, common: count, before: count)
    }

    /// The commit is on disk.
    func land() {
        for (id, fate) in flight.games {
            switch fate {
            case .kept(let game): kept[id] = game
            case .deleted:
                kept[id] = nil
                deleted.remove(id)
            }
        }
        for (id, game) in flight.times { kept[id] = game }
        keptNextID = flight.nextID ?? keptNextID
        flight = Flight()
        letGo()
    }

    /// Every game is again what is kept of it, and whoever shows it is told. Ids that were given
    /// out since are given out again: nobody has been told of them.
    func rollBack() {
        let changed = Set(flight.games.keys).union(touched.keys)
        let shown = changed.subtracting(deleted)
        nextID = keptNextID
        flight = Flight()
        touched = [:]
        markedAt = nil
        deleted = []
        for id in changed { restore(id) }
        // The newest first, as if time went backwards.
        for id in changed.sorted(by: >) { tellBack(id, wasShown: shown.contains(id)) }
    }

    private func restore(_ id: GameID) {
        unpacked[id] = kept[id]?.game
        if kept[id]?.runningSince == nil { running.remove(id) } else { running.insert(id) }
    }

    private func tellBack(_ id: GameID, wasShown: Bool) {
        switch (game(id), wasShown) {
        case (let game?, true): feed.tell(.changed(id, game))
        case (let game?, false): feed.tell(.restored(id, game))
        case (nil, true): feed.tell(.withdrawn(id))
        case (nil, false): break
        }
    }
}
