import BusdProtocol

/// The memory that clients and view models hold, in bytes, and the limits for it.
///
/// A connection holds input and output. Its charge is replaced when that changes (`Holding`).
/// Snapshots that several connections share, subscriptions and histories have an `Account` each; a
/// `Charge` counts on an account as long as it exists.
///
/// Every user of the machine may connect to the view socket. So its clients fill at most half of a
/// limit that all clients share.
struct Budget {
    /// The memory that one connection holds, or all together, in bytes.
    struct Holding: Equatable {
        /// A line without its end.
        private(set) var unfinishedInput = 0
        /// Whole lines that are not handled yet, and the bytes behind them.
        private(set) var waitingInput = 0
        /// Events that the socket has not taken. They can be dropped.
        private(set) var events = 0
        /// The part of `events` that is shared.
        private(set) var sharedEvents = 0
        /// Other output that the socket has not taken and no other connection shares.
        private(set) var answers = 0

        /// - Parameter unfinished: bytes of a line without its end; 0: none is at the front.
        /// - Parameter input: all bytes that are not handled yet.
        init(
            unfinished: Int = 0, input: Int = 0, events: Int = 0, shared: Int = 0, answers: Int = 0
        ) {
            unfinishedInput = unfinished
            waitingInput = unfinished == 0 ? input : 0
            self.events = events
            sharedEvents = shared
            self.answers = answers
        }

        fileprivate mutating func replace(_ old: Holding, with new: Holding) {
            unfinishedInput += new.unfinishedInput - old.unfinishedInput
            waitingInput += new.waitingInput - old.waitingInput
            events += new.events - old.events
            sharedEvents += new.sharedEvents - old.sharedEvents
            answers += new.answers - old.answers
        }
    }

    private let limits: Limits
    /// By connection slot: what each one was charged for last.
    private var holdings: [Holding] = []
    /// Of all connections together.
    private var all = Holding()
    /// Long values in snapshots and lines, each in memory once for all connections.
    let shared = Account()
    /// Kept events and keys of all view models.
    let history = Account()
    private let controlSubscriptions = Account()
    private let viewSubscriptions = Account()
    /// Number of memberships: pairs of a connection and a view model that it watches.
    private var memberships = 0
    /// The same for clients of the view socket.
    private var viewMemberships = 0

    init(_ limits: Limits) { self.limits = limits }

    /// A connection is admitted. The last one in its slot was charged for nothing at its end.
    mutating func admit(_ slot: ConnectionSlot) {
        if slot == holdings.count { holdings.append(Holding()) }
    }

    /// Replaces the charge of a connection.
    mutating func charge(_ new: Holding, to slot: ConnectionSlot) {
        guard new != holdings[slot] else { return }
        all.replace(holdings[slot], with: new)
        holdings[slot] = new
    }

    /// What the connection was charged for last.
    func holding(of slot: ConnectionSlot) -> Holding { holdings[slot] }

    /// The part of a limit that clients of the socket may fill.
    private func share(_ total: Int, of access: Access) -> Int {
        access == .view ? total / 2 : total
    }

    // MARK: Input
    //
    // Waiting lines are handled without the help of any client. So it is enough not to read from
    // their connection, and no other connection is held up. An unfinished line cannot wait: only
    // reading brings its end, and a client that never ends it would hold up all others. So the
    // longest unfinished lines are discarded up to their LF, with an error.

    /// Whether to read from the connection. Bytes that arrive while lines wait would only be moved
    /// from buffer to buffer.
    func mayRead(_ slot: ConnectionSlot) -> Bool {
        holdings[slot].waitingInput <= Limits.littleInput
    }

    /// Bytes that may be read from a socket at once.
    func mostToRead(_ access: Access) -> Int {
        all.waitingInput <= share(limits.inputTotal, of: access)
            ? Limits.turnBytes : Limits.littleInput
    }

    // MARK: Output

    /// Bytes that no socket has taken and that cannot be dropped.
    var unread: Int { all.answers + shared.bytes }

    /// The limit of `unread` for answers to clients of the socket.
    func mostUnread(of access: Access) -> Int { share(limits.outputTotal, of: access) }

    /// Bytes by which `unread` exceeds the limit for clients of the socket. Negative: there is
    /// room.
    func excess(for access: Access) -> Int { unread - mostUnread(of: access) }

    /// Whether a connection with `unread` bytes of unread answers gets more. While the total
    /// exceeds the limit, only a connection without unread answers does.
    func mayAnswer(_ unread: Int, _ access: Access) -> Bool {
        unread <= limits.output && (unread == 0 || excess(for: access) <= 0)
    }

    /// A step of a catch-up ends after the view model or row with which it has this many bytes.
    var mostOfStep: Int { unread > limits.outputTotal ? limits.output / 64 : limits.output / 4 }

    /// Memory of the events that can be dropped: shared bytes count once. Shared bytes that cannot
    /// be dropped are on the same account, so it may be more than the events have.
    private var waitingEvents: Int {
        all.events - all.sharedEvents + min(all.sharedEvents, shared.bytes)
    }

    // MARK: Subscriptions

    /// The account for subscriptions, without memberships.
    func subscriptions(of access: Access) -> Account {
        access == .view ? viewSubscriptions : controlSubscriptions
    }

    mutating func countMemberships(_ more: Int, _ access: Access) {
        memberships += more
        if access == .view { viewMemberships += more }
    }

    func mostSubscribed(of access: Access) -> Int { share(limits.subscriptionTotal, of: access) }

    /// Whether `more` bytes would exceed the limit for clients of the socket.
    func areSubscriptionsOver(with more: Int, _ access: Access) -> Bool {
        let views = viewSubscriptions.bytes + HeldMemory.membershipBytes * viewMemberships
        return held.allSubscriptions + more > mostSubscribed(of: .control)
            || access == .view && views + more > mostSubscribed(of: .view)
    }

    // MARK: Too much

    /// A kind of memory. If it exceeds its limit, the largest holders give way.
    enum Kind {
        case unfinishedInput
        case events
        case history
    }

    func isOver(_ kind: Kind) -> Bool { total(kind) > limit(of: kind) }

    /// Whether eviction has to continue. It frees an eighth of the limit, so it is rare. But it
    /// drops no more events than needed, because each one is a gap for a view.
    func isOverGoal(_ kind: Kind) -> Bool {
        kind == .events ? isOver(kind) : total(kind) > limit(of: kind) / 8 * 7
    }

    private func total(_ kind: Kind) -> Int {
        switch kind {
        case .unfinishedInput: all.unfinishedInput
        case .events: waitingEvents
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
            events: all.events, waitingEvents: waitingEvents, answers: all.answers,
            shared: shared.bytes, history: history.bytes,
            subscriptions: controlSubscriptions.bytes + viewSubscriptions.bytes,
            controlSubscriptions: controlSubscriptions.bytes, memberships: memberships)
    }
}

/// The memory that clients and view models hold, in bytes by kind; see `Budget`.
package struct HeldMemory: Equatable {
    /// Estimated bytes of one membership, with the gap that may have to be sent for it.
    package static let membershipBytes = 640

    package let unfinishedInput: Int
    package let waitingInput: Int
    /// Of each connection, whether shared or not.
    package let events: Int
    /// Memory of `events`.
    package let waitingEvents: Int
    package let answers: Int
    package let shared: Int
    package let history: Int
    /// Without memberships.
    package let subscriptions: Int
    /// The part of clients of the control socket.
    package let controlSubscriptions: Int
    /// A count, not bytes.
    package let memberships: Int

    /// Bytes that no socket has taken and that cannot be dropped.
    package var unread: Int { answers + shared }
    /// Bytes of subscriptions and memberships.
    package var allSubscriptions: Int { subscriptions + Self.membershipBytes * memberships }
}
