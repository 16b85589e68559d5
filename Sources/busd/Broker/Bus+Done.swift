import BusdProtocol

// `seq` grows with each event, also with the ticks of a clock. `done` counts only the sends that
// had an effect, to all view models of a thing together (`HostedViewModel.thing`). A client that
// has seen `done` can make a `send` depend on it (`ifDone`). The count is kept with the model at
// the thing's address, so it outlives the view model's sleep, and ends with the thing. It has the
// mark of that model's cursor, so `done` of an earlier thing at the same address never matches.

/// The position of a view model, as `live` and `get` report it.
struct Position {
    let cursor: Cursor
    let done: Cursor
}

extension Bus {
    mutating func position(of model: ModelID) -> Position {
        let cursor = cursor(of: model)
        return Position(cursor: cursor, done: done(of: model, cursor))
    }

    mutating func done(of model: ModelID) -> Cursor { done(of: model, cursor(of: model)) }

    private mutating func done(of model: ModelID, _ cursor: Cursor) -> Cursor {
        let thing = thing(of: model)
        let mark = thing == model ? cursor.mark : self.cursor(of: thing).mark
        return Cursor(mark: mark, seq: roster[thing].doneCount)
    }

    /// The view model that counts `done` for this one: the one at the thing's address, or itself.
    /// The lookup takes as long as handling a move, so a view model that is awake remembers the
    /// result.
    mutating func thing(of model: ModelID) -> ModelID {
        if let known = roster[model].stream?.thing, isHere(known) { return known }
        let thing = self.model(at: addressOfThing(model)) ?? model
        roster[model].stream?.countDone(at: thing)
        return thing
    }

    func addressOfThing(_ model: ModelID) -> Address {
        kinds[roster[model].kind].thing(roster[model].address)
    }

    /// Counts a `send` that had an effect.
    mutating func noteDone(_ thing: ModelID) {
        if isHere(thing) { roster.noteDone(thing) }
    }

    func checkDone(_ wanted: Cursor?, _ done: Cursor?) throws(WireError) {
        guard let wanted, wanted != done else { return }
        let message = done.map { "`done` is now \($0), not \(wanted)" }
        throw WireError(.stale, message ?? Self.notThereYet, done: done)
    }

    static var notThereYet: String { "the view model does not exist yet" }
}
