import BusdProtocol

// How the daemon continues after the link has connected and looked at the house.
extension RedisLog {
    package func close() { link.close() }

    /// Whether Redis answers, so that a new connection can wait for its newest entry.
    package var isResponsive: Bool { isFollowing && !link.isSilent }

    /// - Parameter then: not called if the link is lost first.
    func call(_ words: [[UInt8]], then: @escaping (RedisValue) -> Void) {
        link.call(words, then: then)
    }

    /// Calls back with the number of the newest entry, or not at all if the link is lost.
    package func head(_ then: @escaping (Int) -> Void) {
        link.call(["HGET", house.head, "n"]) { reply in if let n = reply.number { then(n) } }
    }

    func looked(_ sight: HouseSight) {
        switch sight {
        case .nothing:
            link.refuse(
                "the house \(house) is not in Redis any more: its keys were removed; run "
                    + "\(house.daemon) house restore on the daemon with the newest position")
        case .damaged: link.refuse("the house \(house) in Redis is damaged")
        case .house(let view): proceed(view)
        }
    }

    private func proceed(_ view: HouseView) {
        switch HouseNextStep(
            view, identity: identity, position: position, newest: newest, chain: chain)
        {
        case .wait(let reason): link.refuse(reason)
        case .load(let reason): load(view, reason)
        case .follow(let chain):
            if let difference {
                load(view, difference)
            } else if start.mustLoad {
                load(view, "this daemon must load the states of the house")
            } else {
                (self.chain, newest, firstTime) = (chain, nil, firstTime ?? view.time)
                goal = view.newest
                follow()
            }
        }
    }

    /// The daemon starts again, with the states of the house. The same states are loaded once.
    private func load(_ view: HouseView, _ reason: String) {
        guard view.beginning != nil else {
            return link.refuse("\(reason), and the states of the house in Redis are incomplete")
        }
        guard start.triedStates?.isExactly(view.nameOfStates) != true else {
            let problem = start.loadProblem ?? "also after the states of the house were loaded"
            return link.refuse("\(reason); \(problem)")
        }
        note(problem: reason)
        link.close()
        reload(reason)
    }

    /// Other daemons had other effects. New states may help: the daemon's memory or store may have
    /// been damaged.
    func differs(_ reason: String) {
        difference = reason
        link.refuse(reason)
    }

    private func follow() {
        (table.hasFollowed, isFollowing) = (true, true)
        read()
        repeatCall()
        if let secret { note(secret: secret) }
    }
}
