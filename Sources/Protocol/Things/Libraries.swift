/// All libraries of a daemon, and the one log through which their things change.
///
/// An action is proposed while a view model handles an event. At the end of the turn, all proposals
/// of the turn are appended to the log together. When the log has them they are applied, in the
/// order of the log.
public final class Libraries {
    private var log: any Log
    /// Other daemons append to the same log.
    @usableFromInline let isShared: Bool
    private let clock: any Clock
    /// Content of the log at the start. Emptied when all libraries are registered.
    private var content: LogContent
    private(set) var all: [any AnyLibrary] = []
    /// Index in `all` at which `packSome` continues.
    var packing = 0
    /// Bytes of the entries of other daemons since all things were packed.
    var arrivedBytes = 0
    @usableFromInline private(set) var isReplaying = false

    // No other code runs during an access to `proposals` and `arrival`, so the run-time checks for
    // exclusive access are off.

    /// The proposals that have not been applied yet, in order.
    @exclusivity(unchecked) private var proposals = Queue<Proposal>()
    /// How many of them have been handed to the log, and how many of these are committed.
    private var appended = 0
    private var committed = 0
    /// The log has refused all proposals behind the committed ones.
    private var areRefused = false
    /// The next outcome of a shared log. It is handled after the committed proposals.
    @exclusivity(unchecked) private var arrival: LogOutcome?
    /// A `send` is being handled, and nothing has been proposed yet.
    private var isHandlingSend = false
    /// Data of that `send`; `nil`: its entry needs none.
    private var send: SendContext?
    private var proposed: ProposedSend = .nothing
    /// Proposals made outside a `send` that were not appended; `applyNext` ends them.
    private var settled = Queue<(Proposal, ProposalFate)>()
    /// Proposals that have not ended. Asked for each request.
    private var unendedCount = 0
    private var lastNumber: Int
    private var lastTime: Instant
    /// The number of the newest entry that has been applied.
    package private(set) var applied: Int
    /// Bytes of all entries that have not been applied, about.
    package private(set) var pendingBytes = 0
    /// Actions that could not be encoded, for the log file.
    private var faults: [String] = []

    /// Libraries in memory, for tests. `settle()` of BusdTestKit applies what was proposed.
    public convenience init(clock: any Clock) { self.init(log: MemoryLog(), clock: clock) }

    package init(log: any Log, clock: any Clock, content: LogContent = LogContent()) {
        (self.log, self.clock, self.content) = (log, clock, content)
        isShared = log.isShared
        (lastNumber, lastTime, applied) = (content.lastNumber, content.lastTime, content.lastNumber)
    }

    /// The time of an entry that is proposed now.
    public var now: Instant { max(clock.now, lastTime) }

    /// Whether the log keeps nothing on disk.
    package var isVolatile: Bool { !log.isKept }

    // MARK: Opening

    func register(_ library: any AnyLibrary) {
        all.append(library)
        isReplaying = true
        library.load(content.states.filter { $0.kind == library.kind })
        if content.areStatesLost {
            content.reader?.read(library.kind, areNewer: false, library.replay)
            library.rebuild(with: content.remaining.filter { $0.kind == library.kind })
        }
        content.reader?.read(library.kind, areNewer: true, library.replay)
        for entry in content.entries where entry.kind == library.kind { library.replay(entry) }
        library.completeOrder()
        isReplaying = false
    }

    /// Call it when all libraries are registered. Returns reports of what could not be read.
    package func open() -> [String] {
        content = LogContent()
        return all.flatMap(\.findings)
    }

    /// Nothing is kept from now on. Breaks the reference cycle between this object and the
    /// libraries.
    package func close() {
        all = []
        log = MemoryLog()
    }

    // MARK: Proposing

    /// Whether the log takes entries now.
    @usableFromInline var takesProposals: Bool { log.isAvailable && !areRefused }

    /// Whether the log keeps the bodies of entries.
    @usableFromInline var keepsEntries: Bool { log.isKept }

    /// The first proposal during a `send` takes over its data.
    @usableFromInline func begin(_ proposal: Proposal) {
        guard isHandlingSend else { return }
        isHandlingSend = false
        proposal.isOfSend = true
        if let send { proposal.copyData(of: send) }
    }

    /// The proposal is not appended.
    @usableFromInline func settle(_ proposal: Proposal, _ fate: ProposalFate) {
        if proposal.isOfSend {
            proposed = .settled(proposal, fate)
        } else {
            settled.append((proposal, fate))
            unendedCount += 1
        }
    }

    /// No start could read the entry.
    @usableFromInline func unreadable(_ entry: LogEntry, _ error: any Error) -> ProposalFate {
        let fault = ((error as? WireError)?.message ?? "\(error)").clipped
        faults.append("an action of \(entry.kind) is refused: \(fault)")
        return .unreadable(ExactText(fault))
    }

    /// Gives the entry the next number of the log.
    @usableFromInline func number(_ proposal: Proposal) {
        lastNumber += 1
        lastTime = max(lastTime, proposal.entry.time)
        proposal.entry.number = lastNumber
        if isShared { proposal.entry.daemon = log.daemon }
    }

    /// The proposal goes to the log at the end of the turn.
    @usableFromInline func append(_ proposal: Proposal) {
        pendingBytes += proposal.entry.size
        proposals.append(proposal)
        unendedCount += 1
        if proposal.isOfSend {
            proposed = .pending(lastNumber, changesLibrary: proposal.changesLibrary)
        }
    }

    package func takeFaults() -> [String] {
        defer { faults = [] }
        return faults
    }

    /// Call it before a view model handles a `send`.
    package func begin(_ send: SendContext?) {
        self.send = send
        isHandlingSend = true
    }

    /// Call it after the view model has handled the `send`. Returns the result of its proposal.
    ///
    /// - Parameter keepsKey: whether the key is appended to the log if nothing was proposed.
    package func end(keepsKey: Bool = false) -> SendResult {
        if keepsKey, isHandlingSend, let send, send.key != nil {
            // The condition was checked before, and without an effect nothing depends on it.
            send.isConditional = false
            send.subject?.keepKey()
        }
        isHandlingSend = false
        send = nil
        if case .nothing = proposed { return .nothing }
        defer { proposed = .nothing }
        switch proposed {
        case .nothing: return .nothing
        case .pending(let number, let changesLibrary):
            return .pending(number, changesLibrary: changesLibrary)
        case .settled(let proposal, let fate): return .settled(proposal.end(fate))
        }
    }

    // MARK: The log

    package var hasPending: Bool {
        unendedCount > 0 || isShared && (arrival != nil || log.hasArrivals)
    }

    /// Appends the proposals since the last call to the log. Call it at the end of a turn.
    package func commit() {
        guard appended < proposals.count, !areRefused else { return }
        if log.isKept {
            log.append(proposals.dropFirst(appended).map(\.entry))
        } else {
            committed += proposals.count - appended
        }
        appended = proposals.count
    }

    /// Settles the oldest proposal: applies it or refuses it. `nil`: nothing can be settled now.
    ///
    /// - Returns: the outcome, and the number in its `SendResult.pending`; 0 for an entry without a
    ///   pending `send`.
    package func applyNext() -> (number: Int, outcome: SendOutcome)? {
        if let (proposal, fate) = settled.takeFirst() {
            unendedCount -= 1
            return (0, proposal.end(fate))
        }
        takeOutcomes()
        if committed == 0, let arrival { return apply(arrival) }
        guard committed > 0 || areRefused, let proposal = takeProposal() else { return nil }
        if committed > 0 {
            committed -= 1
            applied = proposal.entry.number
            return (proposal.entry.number, proposal.end(.committed))
        }
        let outcome = proposal.end(.refused)
        if proposals.isEmpty {
            areRefused = false
            lastNumber = applied
        }
        return (proposal.entry.number, outcome)
    }

    private func takeProposal() -> Proposal? {
        guard let proposal = proposals.takeFirst() else { return nil }
        unendedCount -= 1
        pendingBytes -= proposal.entry.size
        if appended > 0 { appended -= 1 }
        return proposal
    }

    private func takeOutcomes() {
        while !areRefused, arrival == nil, let outcome = log.takeOutcome() {
            switch outcome {
            case .committed(let count): committed += count
            case .refused: areRefused = !proposals.isEmpty
            case .placed, .uncertain, .arrived: arrival = outcome
            }
        }
    }

    // MARK: A shared log

    private func apply(_ arrival: LogOutcome) -> (number: Int, outcome: SendOutcome)? {
        self.arrival = nil
        switch arrival {
        case .committed, .refused: return nil
        case .placed(let number, let time):
            guard let proposal = takeProposal() else { return nil }
            let proposed = proposal.entry.number
            (proposal.entry.number, proposal.entry.time) = (number, time)
            let library = library(of: proposal.entry)
            library?.complete(&proposal.entry)
            let outcome = proposal.end(.committed)
            ended(proposal.entry, library, hadEffect: outcome == .applied)
            return (proposed, outcome)
        case .uncertain(let count):
            if count > 1 { self.arrival = .uncertain(count - 1) }
            return takeProposal().map { ($0.entry.number, $0.end(.uncertain)) }
        case .arrived(var entry):
            do throws(WireError) {
                guard let library = library(of: entry) else {
                    throw WireError(.badEvent, "the kind \(entry.kind.printable) is not known here")
                }
                library.complete(&entry)
                let hadEffect = try library.apply(entry)
                ended(entry, library, hadEffect: hadEffect)
                packMany(entry)
                return (0, hadEffect ? .applied : .noEffect)
            } catch {
                log.stop(at: entry, error.message)
                return nil
            }
        }
    }

    private func library(of entry: LogEntry) -> (any AnyLibrary)? {
        all.first { $0.kind.isExactly(entry.kind) }
    }

    private func ended(_ entry: LogEntry, _ library: (any AnyLibrary)?, hadEffect: Bool) {
        (applied, lastTime) = (entry.number, max(lastTime, entry.time))
        let summary = hadEffect ? library?.encodedSummary(of: entry.id) ?? [] : []
        log.applied(
            AppliedEntry(
                entry: entry, hadEffect: hadEffect,
                replacesSecret: hadEffect && library?.keepsHistory == false,
                summary: summary))
    }
}

extension LogEntry {
    /// Bytes of memory, about.
    var size: Int { 256 + id.utf8.count + body.count }
}
