import BusdProtocol

/// What everything holds in memory, in bytes, and what may still be added.
///
/// Every connection holds input and output (`Holding`), which is charged when it changes. Snapshots
/// that several connections share, subscriptions and histories have an `Account` each, which a
/// `Charge` counts for as long as it exists.
///
/// Every user of the machine may connect to the view socket. So its clients fill at most half of
/// what all clients share.
struct Budget {
    /// What one connection holds, or all together.
    struct Holding: Equatable {
        /// A line that has not ended.
        var unfinishedInput = 0
        /// Lines that wait.
        var waitingInput = 0
        /// Events that no socket has taken. They can be dropped.
        var events = 0
        /// Other output that no socket has taken and no other connection shares.
        var answers = 0
    }

    private let limits: Limits
    private var all = Holding()
    /// The last long values, each in memory once however many connections it waits for.
    let shared = Account()
    /// Events and keys that are kept of all view models.
    let history = Account()
    private let controlSubscriptions = Account()
    private let viewSubscriptions = Account()
    /// Pairs of a connection and a view model that it watches.
    private var memberships = 0
    private var viewMemberships = 0

    init(_ limits: Limits) { self.limits = limits }

    /// Replaces what a connection holds.
    mutating func charge(_ new: Holding, to holding: inout Holding) {
        guard new != holding else { return }
        all.unfinishedInput += new.unfinishedInput - holding.unfinishedInput
        all.waitingInput += new.waitingInput - holding.waitingInput
        all.events += new.events - holding.events
        all.answers += new.answers - holding.answers
        holding = new
    }

    private func share(_ total: Int, of access: Access) -> Int {
        access == .view ? total / 2 : total
    }

    // MARK: Input
    //
    // Lines that wait are handled without the help of other clients. So a connection that has some
    // is simply not read, and holds up no other. A line that has not ended cannot wait, because
    // only reading on brings its end, and a client that never ends it would hold up all others. So
    // the longest are discarded up to their end, with an error.

    /// Whether the connection, which holds `length` bytes of input, is read.
    func mayRead(_ holding: Holding, _ length: Int, _ access: Access) -> Bool {
        length <= limits.line + Limits.turnBytes
            && (all.waitingInput <= share(limits.inputTotal, of: access)
                || holding.waitingInput <= Limits.littleInput)
    }

    /// Bytes that may be read at once.
    var mostToRead: Int {
        all.waitingInput <= limits.inputTotal ? Limits.turnBytes : Limits.littleInput
    }

    // MARK: Output

    /// Bytes in memory that cannot be dropped and no socket has taken.
    var unread: Int { all.answers + shared.bytes }

    func mostUnread(of access: Access) -> Int { share(limits.outputTotal, of: access) }

    /// By how much more is unread than clients of that socket may leave; negative: there is room.
    func excess(for access: Access) -> Int { unread - mostUnread(of: access) }

    /// Whether a connection that has left that many bytes of answers unread gets more. While too
    /// much is unread, only a connection that has read everything does.
    func mayAnswer(_ unread: Int, _ access: Access) -> Bool {
        unread <= limits.output && (unread == 0 || excess(for: access) <= 0)
    }

    /// Bytes of one step of a catch-up, which its last line or row may exceed.
    var mostOfStep: Int { unread > limits.outputTotal ? limits.output / 64 : limits.output / 4 }

    // MARK: Subscriptions

    /// Bytes of subscriptions, without what they watch.
    func subscriptions(of access: Access) -> Account {
        access == .view ? viewSubscriptions : controlSubscriptions
    }

    mutating func countMemberships(_ more: Int, _ access: Access) {
        memberships += more
        if access == .view { viewMemberships += more }
    }

    func mostSubscribed(of access: Access) -> Int { share(limits.subscriptionTotal, of: access) }

    /// Whether `more` bytes exceed what clients of that socket may subscribe to.
    func areSubscriptionsOver(with more: Int, _ access: Access) -> Bool {
        let views = viewSubscriptions.bytes + HeldMemory.membershipBytes * viewMemberships
        return held.allSubscriptions + more > mostSubscribed(of: .control)
            || access == .view && views + more > mostSubscribed(of: .view)
    }

    // MARK: Too much

    /// A kind of memory. If all hold too much of it, the largest holders give way.
    enum Kind {
        case unfinishedInput
        case events
        case history
    }

    func isOver(_ kind: Kind) -> Bool { total(kind) > limit(of: kind) }

    /// Evictions free an eighth at once, so they are rare. Events are dropped only as far as
    /// needed, because each is a gap for a view.
    func isOverGoal(_ kind: Kind) -> Bool {
        kind == .events ? isOver(kind) : total(kind) > limit(of: kind) / 8 * 7
    }

    private func total(_ kind: Kind) -> Int {
        switch kind {
        case .unfinishedInput: all.unfinishedInput
        case .events: all.events
        case .history: history.bytes
        }
    }

    private func limit(of kind: Kind) -> Int {
        switch kind {
        case .unfinishedInput: limits.inputTotal
        case .events: limits.outputTotal
        case .history: limits.historyTotal
        }
    }

    // MARK: Reporting

    var held: HeldMemory {
        HeldMemory(
            unfinishedInput: all.unfinishedInput, waitingInput: all.waitingInput,
            events: all.events, answers: all.answers, shared: shared.bytes, history: history.bytes,
            subscriptions: controlSubscriptions.bytes + viewSubscriptions.bytes,
            controlSubscriptions: controlSubscriptions.bytes, memberships: memberships)
    }
}

/// Bytes that all clients and view models hold, of each kind.
package struct HeldMemory: Equatable {
    /// Bytes of one membership, with the gap that may have to be sent for it; an estimate.
    package static let membershipBytes = 640

    package let unfinishedInput: Int
    package let waitingInput: Int
    package let events: Int
    package let answers: Int
    package let shared: Int
    package let history: Int
    /// Without memberships.
    package let subscriptions: Int
    package let controlSubscriptions: Int
    /// A count, not bytes.
    package let memberships: Int

    /// Bytes that cannot be dropped and no socket has taken.
    package var unread: Int { answers + shared }
    /// Bytes of subscriptions and memberships.
    package var allSubscriptions: Int { subscriptions + Self.membershipBytes * memberships }
}
