import BusdClient
import BusdProtocol
import BusdScreens

// The values are complete at `live`, and after the last event of each update.
//
// An address that does not exist cannot be subscribed to, but its siblings can: a subscription to
// their pattern, without events, reports each arrival.

/// Follows values of one view model, also after a lost connection, and before it exists.
final class Follower {
    enum Event {
        /// The values of one state, never of half an update.
        case state(ViewModelState)
        /// There is no such view model. It is followed when it arrives.
        case missing
        /// The view model has ended; the same holds.
        case gone
    }

    private let address: Address
    private let conditions: [Condition]
    private let viewName: String
    private let session: Session
    private let unfit: (String) -> any Error
    private let report: (Event) -> Void
    private var state = ViewModelState([:])
    /// The values are complete.
    private var isLive = false
    /// The view model is subscribed to, or was when the connection was lost.
    private var isThere = false
    /// The conditions fit a kind of view model.
    private var isChecked = false

    /// - Parameters:
    ///   - conditions: on the values to follow; empty: only whether the view model exists.
    ///   - viewName: for `bus/views`.
    ///   - unfit: the end of the session if the view model, or every kind, cannot fulfil the
    ///     conditions, from the message.
    init(
        _ address: Address, _ conditions: [Condition], as viewName: String, in session: Session,
        unfit: @escaping (String) -> any Error, _ report: @escaping (Event) -> Void
    ) {
        (self.address, self.conditions, self.viewName) = (address, conditions, viewName)
        (self.session, self.unfit, self.report) = (session, unfit, report)
        session.ready = { [weak self] in
            self?.isLive = false
            self?.look()
        }
        session.received = { [weak self] line, _ in self?.received(line) }
    }

    // MARK: Requests

    private func look() {
        guard !conditions.isEmpty else { return lookWhetherThere() }
        ask(.describe(address.text), ifMissing: { $0.describeAll() }) {
            $0.described(DescribedKinds([$1]), isThere: true)
        }
    }

    private func describeAll() {
        guard !isChecked else { return awaitArrival() }
        ask(.describe()) { $0.checkKind(DescribedKinds([$1])) }
    }

    /// An address begins with its kind, or with the address of another view model.
    private func checkKind(_ kinds: DescribedKinds) {
        let names = kinds.kinds.map(\.name)
        guard let kind = address.segments.first.map(String.init),
            !names.contains(where: kind.isExactly),
            let pattern = Pattern("\(kind)/**")
        else { return described(kinds, isThere: false) }
        ask(.list(pattern)) { follower, list in
            guard list.list("viewModels").isEmpty else {
                return follower.described(kinds, isThere: false)
            }
            follower.session.end(
                RequestFailure.refused(
                    WireError(
                        .unknownViewModel, "there is no kind \(kind)",
                        suggestions: Suggestions.near(kind, among: names))))
        }
    }

    private func described(_ kinds: DescribedKinds, isThere: Bool) {
        if let problem = kinds.problem(of: conditions, ofState: true) {
            return session.end(unfit(problem))
        }
        isChecked = true
        guard isThere else { return awaitArrival() }
        state = ViewModelState(kinds.edits)
        let names = Set(conditions.map(\.path.event))
        let edits = kinds.edits.filter { names.contains($0.value.event) }.map(\.key)
        subscribe(only: (names + edits).sorted())
    }

    /// A subscription to the address would make, or keep alive, a view model that is served on
    /// demand; one to its siblings reports its end, too.
    private func lookWhetherThere() {
        subscribeToSiblings()
        ask(.list(Pattern(address))) { follower, list in
            guard !list.list("viewModels").isEmpty else { return follower.missing() }
            follower.isThere = true
            follower.report(.state(follower.state))
        }
    }

    private func subscribe(only names: [String]) {
        let request = BusRequest.subscribe(Pattern(address), as: viewName, only: names)
        ask(request, ifMissing: { $0.describeAll() }) { follower, _ in
            follower.isThere = true
            guard let siblings = follower.siblings else { return }
            // Refused if the address was there from the beginning.
            follower.session.ask(.unsubscribe(siblings), refused: { _ in })
        }
    }

    private func ask(
        _ request: BusRequest, ifMissing: @escaping (Follower) -> Void = { $0.missing() },
        _ answered: @escaping (Follower, JSONValue) -> Void
    ) {
        session.ask(request) { [weak self] in
            if let self { answered(self, $0) }
        } refused: { [weak self] error in
            guard let self else { return }
            if error.code == .unknownViewModel { return ifMissing(self) }
            session.end(RequestFailure.refused(error))
        }
    }

    private func missing() {
        report(isThere ? .gone : .missing)
        isThere = false
    }

    private func awaitArrival() {
        missing()
        subscribeToSiblings()
    }

    private func subscribeToSiblings() {
        guard let siblings else { return }
        ask(.subscribe(siblings, as: viewName, only: [])) { _, _ in }
    }

    /// The pattern of all addresses beside this one.
    private var siblings: Pattern? {
        Pattern((address.segments.dropLast() + ["*"]).joined(separator: "/"))
    }

    // MARK: Lines

    private func received(_ line: BusLine) {
        switch line {
        case .event(let event) where event.from == address: received(event)
        case .live(let to, _) where to.text.isExactly(address.text): becameLive()
        case .gone(let gone) where gone == address && isThere: ended()
        // A new snapshot follows.
        case .gap(let missed, _) where missed == address:
            isLive = false
            state.removeAll()
        case .event, .live, .gone, .gap, .ok, .refusal, .ping, .bye, .unknown: break
        }
    }

    private func received(_ event: BusEvent) {
        if event.isSnapshot, isLive {
            isLive = false
            state.removeAll()
        }
        state.apply(event.event)
        if isLive, !event.hasMore { report(.state(state)) }
    }

    private func becameLive() {
        guard !conditions.isEmpty else { return }
        // The arrival of the address, which is not subscribed to yet.
        guard isThere else { return look() }
        isLive = true
        report(.state(state))
    }

    private func ended() {
        isLive = false
        if conditions.isEmpty { missing() } else { awaitArrival() }
    }
}
