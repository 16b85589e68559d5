public import BusdProtocol

extension Game {
    /// Why an action has no effect.
    enum Obstacle: Equatable {
        /// There is nothing to do, or the rules do not allow it.
        case nothingToDo
        /// The game is not as the scorer saw it.
        case hasChanged
        /// The move with this number, from 1, would win, and is not the last.
        case wins(move: Int)
    }

    /// `nil`: the action has an effect.
    func obstacle(to action: GameAction, at time: Instant) -> Obstacle? {
        if let deleted {
            guard case .restore = action, time < deleted + Deletion.span else {
                return action.isCorrection ? .hasChanged : .nothingToDo
            }
            return nil
        }
        return switch action {
        case .move, .togglePause: needs(!isFinished)
        case .pause: needs(!isPaused && !isFinished)
        case .resume: needs(isPaused && !isFinished)
        case .halt: needs(!isPaused)
        case .takeBack(let seen):
            hasChanged(list.plays.count, since: seen) ?? needs(!list.plays.isEmpty)
        case .redo(let seen):
            hasChanged(list.plays.count, since: seen) ?? needs(!list.undone.isEmpty)
        case .takeOut(let id, let was): obstacle(toCorrecting: id, was, as: nil)
        case .change(let id, let was, let move): obstacle(toCorrecting: id, was, as: move)
        case .rename(let renaming): obstacle(to: renaming)
        case .setClock(_, let starts, let seen):
            hasChanged(settings, since: seen) ?? needs(!starts || !isFinished)
        case .moveClock(_, let seen): hasChanged(settings, since: seen)
        case .delete: nil
        case .restore: .nothingToDo
        }
    }

    public func isOutdated(_ action: GameAction, at time: Instant) -> Bool {
        switch obstacle(to: action, at: time) {
        // A correction of another client came first, or the view model would have refused it.
        case .hasChanged, .wins: true
        case .nothingToDo, nil: false
        }
    }

    private func needs(_ condition: Bool) -> Obstacle? { condition ? nil : .nothingToDo }

    private func hasChanged(_ number: Int, since seen: Int?) -> Obstacle? {
        guard let seen, seen != number else { return nil }
        return .hasChanged
    }

    /// - Parameter move: `nil`: the move is taken out.
    private func obstacle(toCorrecting id: Int, _ was: Move, as move: Move?) -> Obstacle? {
        guard let place = list.place(of: id), list.plays[place].move == was else {
            return .hasChanged
        }
        guard move != was, move.map({ teams[$0.player] != nil }) ?? true else {
            return .nothingToDo
        }
        var corrected = list
        if let move {
            corrected.replace(at: place, with: move)
        } else {
            corrected.remove(at: place)
        }
        guard let winning = corrected.winningPlace(by: rules), winning + 1 < corrected.plays.count
        else { return nil }
        return .wins(move: winning + 1)
    }

    private func obstacle(to renaming: Renaming) -> Obstacle? {
        guard let current = renaming.current(in: teams) else { return .nothingToDo }
        guard current.text.isExactly(renaming.was.text) else { return .hasChanged }
        return needs(!current.text.isExactly(renaming.name.text))
    }
}
