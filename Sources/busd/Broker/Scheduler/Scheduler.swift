/// Decides which connection is served next, and for how much.
///
/// This is deficit round robin with the two lists of fq_codel (RFC 8290). Costs are in the units of
/// `Cost`. A connection pays for a visit from its credit, unless no other connection waits.
///
/// - A connection that becomes ready joins the *new* list. Connections that became ready since the
///   last turn come first there, so a crowd that becomes ready at once does not delay later
///   connections.
/// - A connection joins the *old* list if it has no credit, its next step is long, or it has more
///   to do after a visit. Each round of that list adds `quantum` to every credit.
///
/// A turn serves the new list, then the old one, until it has cost enough. The old list has at
/// least a quarter of each turn. So a small request waits for no long one, and long ones make
/// progress.
///
/// The lists, in the order in which a connection passes through them:
///
///     ready ─► arrived, newcomers ─► new ─► visit ─► goingOn ─► later ─► old ─► visit
///
///     arrived    became ready; joins `new` between two turns
///     newcomers  the same before its first visit; comes behind `arrived`
///     new        the new list
///     goingOn    has more to do after a visit, or a long next step; joins `later` between turns
///     later      waits for the next round; comes directly from a list without credit, or from a
///                visit that was postponed
///     old        waits in this round
struct Scheduler {
    private struct Share {
        /// What its visits may cost. Negative: the last visit cost more than there was.
        var credit = Scheduler.quantum
        /// The round that `credit` refers to.
        var round: Int
        /// The connection is in a list, or has more to do after its visit.
        var isReady = false
        /// It has not been served yet.
        var isNewcomer = true
    }

    private struct Visit {
        let slot: ConnectionSlot
        /// Cost of everything so far, when the visit began.
        let start: Int
        /// The visit is from the old list.
        let isOld: Bool
        /// The visit costs credit: other connections wait in the same list, or have more to do
        /// after this turn.
        let isPaid: Bool
        /// The next step is too long for this visit.
        var isPostponed = false
    }

    /// A round adds this much to a credit. A step that costs more is long.
    static let quantum = Cost.shortJob
    /// Highest credit. It is many quanta, so a few small requests in a row never wait.
    static let mostCredit = 1 << 18

    /// A turn begins nothing more when it has cost this much.
    private(set) var turnCost = Cost.turn

    private var shares: [Share] = []
    /// Connections that became ready, for the next turn.
    private var arrived: [ConnectionSlot] = []
    /// The same for connections that have not been served yet.
    private var newcomers: [ConnectionSlot] = []
    /// The new list. Those before `nextNew` have been taken.
    private var new: [ConnectionSlot] = []
    private var nextNew = 0
    /// Connections of this round. Those before `nextOld` have had their place.
    private var old: [ConnectionSlot] = []
    private var nextOld = 0
    /// Connections that wait for the next round.
    private var later: [ConnectionSlot] = []
    /// Connections that join `later` when the turn ends or the next one begins.
    private var goingOn: [ConnectionSlot] = []
    /// The number of this round of the old list.
    private var round = 0
    /// Credits that were computed before this round count as full.
    private var forgivenRound = 0
    /// Rounds until the first connection of `later` has credit; `Int.max`: not known. At least one
    /// round passes.
    private var nearestCredit = Int.max

    private var visit: Visit?
    /// The first connection that was served since `flushed`.
    private var firstServed: ConnectionSlot?
    /// Another connection was served since then.
    private var haveOthersBeenServed = false
    /// Cost of everything so far at `flushed`.
    private var costsAtFlush = 0
    /// The turn leaves the new list at this cost.
    private var newEnd = 0
    /// The turn has left the new list.
    private var isInOld = false
    /// No visit begins after this cost.
    private(set) var turnEnd = 0
    /// The current visit begins nothing more after this cost.
    private(set) var visitEnd = 0

    var isEmpty: Bool {
        arrived.isEmpty && newcomers.isEmpty && goingOn.isEmpty && nextNew == new.count
            && oldCount == 0
    }

    /// The only active connection, if it has more to do: no other one is ready or was served since
    /// `flushed`, and less was spent since then than a turn costs.
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
    /// The part of a turn that is reserved for the old list.
    private var oldPart: Int { max(1, turnCost / 4) }

    /// Sum of all costs that were spent.
    private(set) var costs = 0

    mutating func spend(_ cost: Int) { costs += cost }

    // MARK: Connections

    /// A new connection has one quantum and comes last in its first turn. So a client gains nothing
    /// by connecting anew, and its last connection is closed before the new one is served.
    mutating func admit(_ slot: ConnectionSlot) {
        while shares.count <= slot { shares.append(Share(round: round)) }
        shares[slot] = Share(round: round)
    }

    mutating func remove(_ slot: ConnectionSlot) { shares[slot].isReady = false }

    /// The connection has something to do: it is served from the next turn on.
    ///
    /// - Parameter cost: of its next step, if known.
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

    mutating func limitTurns(to cost: Int) { turnCost = cost }

    /// - Parameter spent: cost of everything so far.
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
        // Nothing waits, so no connection was served at the expense of another.
        round += 1
        forgivenRound = round
    }

    /// Moves connections to `new` and `later`, and removes served ones from `new`.
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

    /// Begins the next round. Skips rounds in which no connection would have credit.
    private mutating func beginRound() {
        old.removeAll(keepingCapacity: true)
        swap(&old, &later)
        nextOld = 0
        round += nearestCredit == .max ? 1 : nearestCredit
        nearestCredit = .max
    }

    /// The credit of a connection in this round. Updates its share.
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

    /// The visit handles everything that has made the connection ready. From now on `ready` means
    /// that there is more to do.
    mutating func beginWork() {
        guard let visit else { return }
        shares[visit.slot].isReady = false
        shares[visit.slot].isNewcomer = false
    }

    /// Whether this visit may take a step of this cost. A visit from the old list may take any
    /// step.
    func affords(_ cost: Int) -> Bool { visit?.isOld ?? true || cost <= Self.quantum }

    /// The next step is too long for this visit. A visit from the old list will take it.
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
