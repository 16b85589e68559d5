/// Decides which connection is served next, and for how much.
///
/// This is deficit round robin with the two lists of fq_codel (RFC 8290). Costs are in the units of
/// `Cost`. A connection pays for a visit from its credit, unless no other connection waits.
///
/// - A connection that becomes ready joins the *new* list. Connections of the latest turn come
///   first there, so a crowd that becomes ready at once does not delay later connections.
/// - A connection joins the *old* list if it has no credit, its next step is long, or it has more
///   to do after a visit. Each round of that list adds `quantum` to every credit.
///
/// A turn serves the new list, then the old one, until it has cost enough. The old list has at
/// least a quarter of each turn. So a small request waits for no long one, and long ones go on.
struct Scheduler {
    private struct Share {
        /// Negative: the last visit cost more than there was.
        var credit = Scheduler.quantum
        /// The round that `credit` refers to.
        var round: Int
        /// The connection stands in a list, or goes on after its visit.
        var isReady = false
        /// It was never served.
        var isNewcomer = true
    }

    private struct Visit {
        let slot: ConnectionSlot
        let start: Int
        let isOld: Bool
        /// Other connections wait in the same list, or have more to do after this turn.
        let isPaid: Bool
        var isPostponed = false
    }

    /// A round adds this much. A step that costs more is long.
    static let quantum = Cost.shortJob
    /// Highest credit, so that few small requests in a row never wait.
    static let mostCredit = 1 << 18

    /// A turn takes on nothing more when it has cost this much.
    var turnCost = Cost.turn

    private var shares: [Share] = []
    /// Ready for the next turn.
    private var arrived: [ConnectionSlot] = []
    /// The same for the first time.
    private var newcomers: [ConnectionSlot] = []
    private var new: [ConnectionSlot] = []
    private var nextNew = 0
    /// Connections that this round has still to come to.
    private var old: [ConnectionSlot] = []
    private var nextOld = 0
    /// Connections that have had their place in this round.
    private var later: [ConnectionSlot] = []
    /// Connections that join the old list at the end of the turn.
    private var goingOn: [ConnectionSlot] = []
    private var round = 0
    /// Debts from earlier rounds are forgiven.
    private var forgivenRound = 0
    /// Rounds that the connection nearest to having credit has to wait.
    private var nearestCredit = Int.max

    private var visit: Visit?
    /// The first connection that was served since `flushed`.
    private var firstServed: ConnectionSlot?
    /// Another one was served since then.
    private var haveOthersBeenServed = false
    /// What everything had cost at `flushed`.
    private var costsAtFlush = 0
    private var newEnd = 0
    private var isInOld = false
    /// When the current part of the turn has cost enough.
    private(set) var turnEnd = 0
    /// When the current visit has cost enough.
    private(set) var visitEnd = 0

    var isEmpty: Bool {
        arrived.isEmpty && newcomers.isEmpty && goingOn.isEmpty && nextNew == new.count
            && oldCount == 0
    }

    /// The connection with more to do, if no other one is ready or was served since `flushed`, and
    /// a turn has not cost enough since then.
    func lone(at spent: Int) -> ConnectionSlot? {
        let readyCount =
            arrived.count + newcomers.count + goingOn.count + new.count - nextNew + oldCount
        guard readyCount == 1, !haveOthersBeenServed, spent - costsAtFlush < turnCost,
            let slot = firstServed, shares[slot].isReady
        else { return nil }
        return slot
    }

    /// The lines of all visits have been written.
    mutating func flushed(at spent: Int) {
        firstServed = nil
        haveOthersBeenServed = false
        costsAtFlush = spent
    }

    private var oldCount: Int { old.count - nextOld + later.count }
    /// The part of a turn that is kept for the old list.
    private var oldPart: Int { max(1, turnCost / 4) }

    /// What was spent so far.
    private(set) var costs = 0

    mutating func spend(_ cost: Int) { costs += cost }

    // MARK: Connections

    /// A new connection has one quantum and comes last in its first turn. So a client gains nothing
    /// by connecting anew, and finds its last connection closed.
    mutating func admit(_ slot: ConnectionSlot) {
        while shares.count <= slot { shares.append(Share(round: round)) }
        shares[slot] = Share(round: round)
    }

    mutating func remove(_ slot: ConnectionSlot) { shares[slot].isReady = false }

    /// The connection has something to do: it is served from the next turn on.
    ///
    /// - Parameter cost: of its next step, if that is known.
    mutating func ready(_ slot: ConnectionSlot, cost: Int = 0) {
        guard !shares[slot].isReady else { return }
        shares[slot].isReady = true
        guard visit?.slot != slot else { return }
        if cost > Self.quantum {
            goingOn.append(slot)
        } else if shares[slot].isNewcomer {
            newcomers.append(slot)
        } else {
            arrived.append(slot)
        }
    }

    // MARK: Turns

    /// - Parameter spent: what everything has cost so far.
    mutating func beginTurn(at spent: Int) {
        collectArrived()
        turnEnd = spent + turnCost
        newEnd = oldCount == 0 ? turnEnd : turnEnd - oldPart
        visitEnd = turnEnd
        isInOld = false
    }

    mutating func endTurn() {
        collectArrived()
        guard isEmpty else { return }
        // No connection was served at the expense of another.
        round += 1
        forgivenRound = round
    }

    private mutating func collectArrived() {
        arrived.append(contentsOf: newcomers)
        newcomers.removeAll(keepingCapacity: true)
        new.replaceSubrange(..<nextNew, with: arrived)
        nextNew = 0
        arrived.removeAll(keepingCapacity: true)
        later.append(contentsOf: goingOn)
        goingOn.removeAll(keepingCapacity: true)
    }

    /// Begins the visit of the next connection; `nil` if the turn has cost enough or nothing is
    /// ready.
    mutating func next(at spent: Int) -> ConnectionSlot? {
        while !isInOld, spent < newEnd, let slot = takeNew() {
            guard shares[slot].isReady else { continue }
            guard credit(of: slot) > 0 else {
                later.append(slot)
                continue
            }
            begin(slot, isOld: false, at: spent, end: newEnd, beside: new.count - nextNew)
            return slot
        }
        if !isInOld {
            isInOld = true
            turnEnd = max(turnEnd, spent + oldPart)
        }
        guard spent < turnEnd, let slot = takeOld() else { return nil }
        begin(slot, isOld: true, at: spent, end: turnEnd, beside: oldCount)
        return slot
    }

    private mutating func takeNew() -> ConnectionSlot? {
        guard nextNew < new.count else { return nil }
        nextNew += 1
        return new[nextNew - 1]
    }

    /// Takes the next connection of the old list that is ready and has credit.
    private mutating func takeOld() -> ConnectionSlot? {
        while oldCount > 0 {
            if nextOld == old.count { beginRound() }
            let slot = old[nextOld]
            nextOld += 1
            guard shares[slot].isReady else { continue }
            let credit = credit(of: slot)
            guard credit <= 0 else {
                nearestCredit = 1
                return slot
            }
            later.append(slot)
            nearestCredit = min(nearestCredit, 1 - credit / Self.quantum)
        }
        return nil
    }

    /// Passes over rounds in which no connection would have credit.
    private mutating func beginRound() {
        old.removeAll(keepingCapacity: true)
        swap(&old, &later)
        nextOld = 0
        round += nearestCredit == .max ? 1 : nearestCredit
        nearestCredit = .max
    }

    private mutating func credit(of slot: ConnectionSlot) -> Int {
        let share = shares[slot]
        let rounds = round - share.round
        let credit =
            share.round < forgivenRound
            ? Self.mostCredit : min(Self.mostCredit, share.credit + rounds * Self.quantum)
        shares[slot].credit = credit
        shares[slot].round = round
        return credit
    }

    // MARK: Visits

    private mutating func begin(
        _ slot: ConnectionSlot, isOld: Bool, at spent: Int, end: Int, beside others: Int
    ) {
        if firstServed == nil { firstServed = slot }
        if firstServed != slot { haveOthersBeenServed = true }
        visit = Visit(slot: slot, start: spent, isOld: isOld, isPaid: others + goingOn.count > 0)
        let part = turnCost / (others + 1)  // fits: it is 1 at least
        visitEnd = min(end, spent + max(isOld ? min(Self.quantum, turnCost) : 1, part))
    }

    /// What made the connection ready is being dealt with: from now on `ready` means that there is
    /// more to do.
    mutating func beginWork() {
        guard let visit else { return }
        shares[visit.slot].isReady = false
        shares[visit.slot].isNewcomer = false
    }

    /// Whether this visit may take a step of that cost. A visit from the old list may take one of
    /// any cost.
    func affords(_ cost: Int) -> Bool { visit?.isOld ?? true || cost <= Self.quantum }

    /// The next step is too long for this visit: it is taken by a visit from the old list.
    mutating func postpone() {
        guard let slot = visit?.slot else { return }
        visit?.isPostponed = true
        shares[slot].isReady = true
    }

    var isPostponed: Bool { visit?.isPostponed ?? false }

    /// - Parameter price: the factor for the costs of this connection.
    mutating func endVisit(at spent: Int, price: Int) {
        guard let ended = visit else { return }
        visit = nil
        visitEnd = turnEnd
        let cost = (spent - ended.start) * price  // fits: 2^32 for a turn, and 64
        if ended.isPaid { shares[ended.slot].credit -= cost }
        guard shares[ended.slot].isReady else { return }
        if ended.isPostponed { later.append(ended.slot) } else { goingOn.append(ended.slot) }
    }
}
