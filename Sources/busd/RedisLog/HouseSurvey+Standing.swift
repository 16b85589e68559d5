package import BusdProtocol

// Whether a daemon with a store could follow its house now.

extension HouseSurvey {
    package enum Standing {
        /// It could, and this is how.
        case possible(String)
        case impossible(String)
    }

    /// Reads all that the daemon would read, so that `possible` was just checked.
    ///
    /// - Parameters:
    ///   - identity: the house that the store belongs to.
    ///   - newest: the newest entry of the store.
    ///   - mustLoad: the store must be replaced with the states of the house.
    package func standing(
        in house: HouseName, identity: String, position: Int, newest: LogEntry?, mustLoad: Bool
    ) throws(HouseError) -> Standing {
        if let obstacle = settings.obstacle { return .impossible(obstacle) }
        switch try look(house, position) {
        case .nothing: return .impossible("the house \(house) is not in Redis\(Self.restoring)")
        case .damaged: return .impossible("the house \(house) in Redis is damaged\(Self.restoring)")
        case .house(let view):
            if let reason = try reasonNotToAppend(house, view) { return .impossible(reason) }
            let step = HouseNextStep(
                view, identity: identity, position: position, newest: newest, chain: nil)
            do throws(HouseError) {
                return try standing(HouseClient(house, redis), view, step, position, mustLoad)
            } catch .refused(let reason) {
                return .impossible(reason + Self.restoring)
            }
        }
    }

    private func standing(
        _ client: HouseClient, _ view: HouseView, _ step: HouseNextStep, _ position: Int,
        _ mustLoad: Bool
    ) throws(HouseError) -> Standing {
        switch step {
        case .wait(let reason): return .impossible(reason)
        case .load(let reason):
            _ = try client.load(view)
            return .possible("\(reason): a daemon loads the states of the house")
        case .follow where mustLoad:
            _ = try client.load(view)
            return .possible("the store must be replaced: a daemon loads the states of the house")
        case .follow(let chain):
            try client.prove(from: position, chain, to: view.newest)
            let missing = view.newest - position  // fits: both are bounded
            return .possible(
                missing == 0
                    ? "a daemon can follow: the store has all entries"
                    : "a daemon can follow: it reads \(missing) entries")
        }
    }

    /// Redis may refuse to write, or the log may have lost its end.
    private func reasonNotToAppend(
        _ house: HouseName, _ view: HouseView
    ) throws(HouseError) -> String? {
        // A daemon loads missing functions. It tests them then.
        guard settings.hasFunctions else { return nil }
        let words = HouseFunctions.ready(house, view.identity)
        var settings = settings
        settings.note(words, try redis.call(words))
        return settings.obstacle
    }

    private static let restoring = "; \(HouseNextStep.restoring)"
}
