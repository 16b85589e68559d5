import BusdProtocol

/// A request without an answer yet, and the facts that its answer is checked against.
struct SimulatedRequest {
    enum Kind {
        case subscribe(Pattern, only: Set<String>?, since: Cursor?)
        case unsubscribe(Pattern)
        case send(to: String, ifSeq: Int?, ifDone: Cursor?)
        case get(String)
        /// `alive` has the view models that existed when the request was sent.
        case list(Pattern, alive: [String: SimulatedTruth.Life])
        case other
    }

    let id: Int
    let kind: Kind
    let line: String
    /// The index of the policy that was in force when it was sent.
    let policy: Int
}

extension SimulatedView {
    /// What the client knows of a view model.
    struct Heard {
        let life: SimulatedTruth.Life
        /// The client knows all events up to this `seq`.
        var seq: Int
        var values: SimulatedValues
        /// The names of the values that are complete; `nil`: all.
        var trusted: Set<String>?
        /// The last event had `more`.
        var isInUpdate = false
        /// After a gap: the `seq` of the snapshot that must follow.
        var gapEnd: Int?

        /// All events up to this `seq` are known or were reported as missed.
        var reach: Int { max(seq, gapEnd ?? 0) }
    }

    struct Subscription {
        let pattern: Pattern
        let only: Set<String>?
    }
}
