import BusdProtocol

/// What a connection is still to be shown, in numbered catch-ups. Each one has a place in the
/// backlog (`Queued.catchUp`), and its lines are written there in steps, even if other lines are
/// queued behind the place. Bus+CatchingUp.swift takes the steps. A catch-up writes up to three
/// parts, in this order:
///
/// - the rest of an answer, to `list` or to `subscribe` with a pattern (`Listing`);
/// - items: view models with dropped events, and gaps alone;
/// - a walk: through the matches of a `subscribe`, or through arrivals.
///
/// No event of a view model is queued while the view model waits in a catch-up. The catch-up shows
/// it as of now: a `gap` if the connection was shown it before, then the snapshot and `live`. From
/// then on its events are queued again. If the wait ends early, because the view model ends or the
/// connection subscribes again, the catch-up keeps the `gap` alone.
///
/// Few connections have one, so the object is made on demand.
final class CatchUps {
    /// A view model that waits.
    struct Wait {
        /// The number of the catch-up that shows it.
        let catchUp: Int
        /// Its index among the items of the catch-up; `nil` if the walk of the catch-up shows it.
        fileprivate let item: Int?
        /// The `seq` of the view model when the wait began.
        let start: Int
        /// The `seq` of the last event queued before the wait; `nil`: the connection was never
        /// shown the view model.
        fileprivate(set) var previous: Int?

        /// Number of events missed when the view model is at `seq`; `nil`: none.
        func missed(at seq: Int) -> Int? {
            guard let previous, seq > start else { return nil }
            return seq - previous
        }
    }

    private struct CatchUp {
        /// The rest of an answer; `nil`: it is written, or there is none.
        var answer: Listing?
        var items: [Item] = []
        /// Index of the next item to be shown.
        var nextItem = 0
        /// Shows view models that the connection does not watch, or that wait for this catch-up
        /// without an item.
        var walk: Walk?
        /// Memory reserved for the memberships that the walk may add.
        var reserved: Charge?
    }

    private(set) var pace = Pace.running
    /// By number.
    private var all: [Int: CatchUp] = [:]
    /// The number of the last one that has begun.
    private(set) var lastNumber = 0
    private var waits: [ModelID: Wait] = [:]
    /// The number of the catch-up of the last request, until it is complete.
    private(set) var request: Int?
    /// While `request` has no place: all matches up to this address wait, if they are watched.
    private var prepared: String?
    /// The `unsubscribe` in progress. It writes nothing before its answer, so it has no place.
    private(set) var leaving: Leaving?

    struct Leaving {
        fileprivate(set) var walk: Walk
        let id: Request.ID?
    }

    /// The backlog has the place of a catch-up.
    var isBehind: Bool { !all.isEmpty }
    var isEmpty: Bool { all.isEmpty && leaving == nil }
    /// A request is in progress, for which the next request waits.
    var isRequestUnfinished: Bool { request != nil || leaving != nil }
    /// The answer to the request in progress is not complete.
    var isBeingAnswered: Bool { request.flatMap { all[$0] }?.answer != nil }

    // MARK: Beginning and ending

    func begin(_ number: Int) { if all[number] == nil { begin(number, CatchUp()) } }

    /// Begins the catch-up of a `list`.
    func begin(_ number: Int, answer: Listing) {
        begin(number, CatchUp(answer: answer))
        request = number
    }

    /// Begins the catch-up of a `subscribe` with a pattern.
    func begin(_ number: Int, answer: Listing, reserved: Charge) {
        begin(number, CatchUp(answer: answer, walk: answer.walk, reserved: reserved))
        request = number
    }

    private func begin(_ number: Int, _ new: CatchUp) {
        all[number] = new
        lastNumber = max(lastNumber, number)
    }

    func complete(_ number: Int) {
        all[number] = nil
        if request == number { request = nil }
    }

    /// The connection has ended its subscriptions: no more view models are shown. Gaps are still
    /// reported, and an answer is completed.
    func stopWalks() {
        leaving = nil
        for number in all.keys {
            all[number]?.walk = nil
            all[number]?.reserved = nil
        }
        if let request, all[request]?.answer == nil { self.request = nil }
    }

    // MARK: Preparing

    /// The catch-up of the request gets its place in `endPreparation`, and shows arrivals before.
    func prepare(mostWaits: Int) {
        prepared = ""
        waits.reserveCapacity(mostWaits)
    }

    /// The matches that the connection has to let wait; `nil`: all wait.
    var preparation: Walk? {
        guard let prepared, var walk = request.flatMap({ all[$0]?.walk }) else { return nil }
        walk.pass(prepared)
        return walk
    }

    /// The watched matches up to the address wait.
    func passPreparation(_ address: String) { prepared = address }

    /// The catch-up gets its place. View models with a higher number belong to later catch-ups.
    func endPreparation(lastNumber: UInt32) {
        prepared = nil
        guard let request else { return }
        all[request]?.answer?.close(at: lastNumber)
        all[request]?.walk?.close(at: lastNumber)
    }

    /// Whether the place of the catch-up is not queued yet.
    func isBeingPrepared(_ number: Int) -> Bool { prepared != nil && number == request }

    // MARK: Pace

    func putOff() { pace = .putOff }
    func goOn() { if pace == .putOff { pace = .running } }
    func mustGoOn() { pace = .due }

    /// A step was taken, unless it was put off.
    func stepped() { if pace == .due { pace = .running } }

    // MARK: Leaving

    /// Begins an `unsubscribe`.
    func leave(_ walk: Walk, _ id: Request.ID?) { leaving = Leaving(walk: walk, id: id) }

    /// The `unsubscribe` has passed the address.
    func passLeaving(_ address: String) { leaving?.walk.pass(address) }

    func endLeaving() { leaving = nil }

    // MARK: Answers

    func answer(of number: Int) -> Listing? { all[number]?.answer }
    func setAnswer(_ answer: Listing?, of number: Int) { all[number]?.answer = answer }

    /// Whether the answer to the last request has named the view model, and no step has shown it
    /// yet.
    func hasNamed(_ model: borrowing Model) -> Bool {
        guard let request, let walk = all[request]?.walk, walk.isBefore(model) else { return false }
        return !(all[request]?.answer?.walk.isBefore(model) ?? false)
    }

    // MARK: Waits

    func wait(of model: ModelID) -> Wait? { waits.isEmpty ? nil : waits[model] }

    var waiting: [ModelID] { Array(waits.keys) }

    /// - Parameter isItem: false if the walk of the catch-up shows the view model.
    func add(
        _ model: ModelID, to number: Int, start: Int, previous: Int?, isItem: Bool = true
    ) {
        let item = isItem ? append(.show(model), to: number) : nil
        waits[model] = Wait(catchUp: number, item: item, start: start, previous: previous)
    }

    /// The events queued just before the wait were dropped, and have a gap of their own.
    func setPrevious(_ previous: Int?, of model: ModelID) { waits[model]?.previous = previous }

    /// Ends a wait: the view model is shown now.
    func take(_ model: ModelID) -> Wait? { waits.removeValue(forKey: model) }

    /// Ends a wait early, when the view model is at `seq`. Keeps the gap, unless the catch-up has
    /// no place yet.
    func endWaitEarly(_ model: ModelID, _ address: Address, at seq: Int) -> Wait? {
        guard let wait = take(model) else { return nil }
        if !isBeingPrepared(wait.catchUp), let missed = wait.missed(at: seq) {
            let gap = Item.gap(model, address, missed: missed)
            if let item = wait.item {
                all[wait.catchUp]?.items[item] = gap
            } else {
                append(gap, to: wait.catchUp)
            }
        }
        return wait
    }

    @discardableResult
    func append(_ item: Item, to number: Int) -> Int? {
        all[number]?.items.append(item)
        return all[number].map { $0.items.count - 1 }
    }

    /// The next item, which stays until it is passed. Skips view models that do not wait for it.
    func nextItem(of number: Int) -> Item? {
        while let catchUp = all[number], catchUp.nextItem < catchUp.items.count {
            let item = catchUp.items[catchUp.nextItem]
            guard case .show(let model) = item else { return item }
            if let wait = waits[model], wait.catchUp == number, wait.item == catchUp.nextItem {
                return item
            }
            passItem(of: number)
        }
        return nil
    }

    func passItem(of number: Int) { all[number]?.nextItem += 1 }

    /// Passes the next item if it still shows the view model: if the wait has ended meanwhile, a
    /// gap has replaced it.
    func passItem(of number: Int, showing model: ModelID) {
        guard let catchUp = all[number], catchUp.nextItem < catchUp.items.count,
            case .show(model) = catchUp.items[catchUp.nextItem]
        else { return }
        passItem(of: number)
    }

    /// Removes the gaps of a view model. The connection never learns that it existed, so it has
    /// missed nothing.
    func forget(_ model: ModelID) {
        for number in all.keys {
            all[number]?.items.replace(gapsOf: model)
        }
    }

    // MARK: Walks

    func walk(of number: Int) -> Walk? { all[number]?.walk }

    /// The walk begins. View models that arrive from now on belong to later catch-ups.
    func beginWalk(of number: Int, lastNumber: UInt32) {
        all[number]?.walk?.close(at: lastNumber)
    }

    func pass(_ address: String, of number: Int) { all[number]?.walk?.pass(address) }

    /// No catch-up so far names or shows view models that these rights hide, or that arrive later.
    func narrow(to rights: Rights?, lastNumber: UInt32) {
        for number in Array(all.keys) where !isBeingPrepared(number) {
            all[number]?.answer?.narrow(to: rights, lastNumber: lastNumber)
            all[number]?.walk?.narrow(to: rights, lastNumber: lastNumber)
        }
    }

    /// The walk adds a membership, which is charged by itself from now on.
    func releaseMembership(of number: Int) {
        guard let reserved = all[number]?.reserved else { return }
        reserved.change(to: max(0, reserved.bytes - HeldMemory.membershipBytes))
    }

    /// Whether a later step of the last request shows the view model.
    func isShownByRequest(_ model: borrowing Model) -> Bool {
        request.flatMap { all[$0]?.walk }?.isBefore(model) ?? false
    }

    /// Whether the catch-up can show more arrivals: it is of no request, and its walk has not
    /// begun.
    func takesArrivals(_ number: Int) -> Bool {
        guard let catchUp = all[number], number != request else { return false }
        return catchUp.walk.map { $0.passed.isEmpty && !$0.isNarrow } ?? true
    }

    /// The catch-up shows the view model with number `first` and all later arrivals; other walks
    /// end before it.
    func showArrivals(from first: UInt32, in number: Int) {
        for other in all.keys where other != number && !isBeingPrepared(other) {
            all[other]?.walk?.close(at: first &- 1)
        }
        extendWalk(of: number, to: first)
        all[number]?.walk?.reopen()
    }

    /// Extends the walk of the catch-up to a view model, or begins one. `model` is its number.
    func extendWalk(of number: Int, to model: UInt32) {
        var walk = all[number]?.walk ?? Walk(.everything, firstNumber: model, lastNumber: model)
        walk.extend(to: model)
        all[number]?.walk = walk
    }
}
