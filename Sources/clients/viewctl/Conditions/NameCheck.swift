import BusdClient
import BusdProtocol

/// Checks the names of `--only` and the condition of `--until` with the help of `describe`. With a
/// wrong name or value, `watch` would wait for ever. A pattern may match view models that are
/// created later, so it needs the description of all kinds.
struct NameCheck {
    private let patterns: [Pattern]
    private let only: [String]
    private let until: Condition?

    /// Nil if no name was given.
    init?(_ watch: Watch) {
        guard watch.only != nil || watch.until != nil else { return nil }
        patterns = watch.patterns
        only = watch.only ?? []
        until = watch.until.flatMap { $0.isGone ? nil : $0 }
    }

    /// Asks the daemon. `answered` gets the kinds, or nothing if a request was refused. It is not
    /// called if the connection is lost first.
    func ask(_ session: Session, _ answered: @escaping (DescribedKinds) -> Void) {
        var left = requests.count
        var kinds: [JSONValue]? = []
        let take = { (kind: JSONValue?) in
            left -= 1
            kinds = kind.flatMap { kind in kinds.map { $0 + [kind] } }
            if left == 0 { answered(DescribedKinds(kinds ?? [])) }
        }
        for request in requests { session.ask(request, take, refused: { _ in take(nil) }) }
    }

    var requests: [BusRequest] {
        let addresses = patterns.compactMap(\.address)
        return addresses.count == patterns.count
            ? addresses.map { .describe($0.text) } : [.describe()]
    }

    /// The event that edits the list of `--until`, if `--only` leaves it out.
    private func missingEdit(_ described: DescribedKinds) -> String? {
        guard let until, !only.isEmpty else { return nil }
        let edit = described.edits.first { $0.value.event.isExactly(until.path.event) }?.key
        return edit.flatMap { edit in only.contains(where: edit.isExactly) ? nil : edit }
    }

    /// Nil if the names are known, or cannot be checked.
    func errorMessage(_ described: DescribedKinds) -> String? {
        guard !described.isEmpty else { return nil }
        for name in only {
            let condition = Condition(ValuePath(event: name))
            if let problem = described.problem(of: [condition], ofState: false) { return problem }
        }
        if let missing = missingEdit(described) {
            return "--until needs \(missing) in --only, too"
        }
        return until.flatMap { described.problem(of: [$0], ofState: false) }
    }
}
