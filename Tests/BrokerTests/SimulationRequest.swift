import BusdProtocol

/// A request that has been sent and not answered, with what is needed to judge the answer.
struct SimulatedRequest {
    enum Kind {
        case subscribe(Pattern, only: Set<String>?, since: Cursor?)
        case unsubscribe(Pattern)
        case send(to: String, ifSeq: Int?, ifDone: Cursor?)
        case get(String)
        /// These were there when it was sent.
        case list(Pattern, alive: [String: SimulatedTruth.Life])
        case other
    }

    let id: Int
    let kind: Kind
    let line: String
}

extension SimulatedView {
    /// What it knows of a view model.
    struct Heard {
        let life: SimulatedTruth.Life
        /// It knows everything up to here.
        var seq: Int
        var values: SimulatedValues
        /// The values of these names are complete; `nil` is all.
        var trusted: Set<String>?
        /// The last event said that there is more of its update.
        var isInUpdate = false
        /// After a gap: what is told next is true as of this.
        var gapEnd: Int?

        /// All up to here is known or was told to be missed.
        var reach: Int { max(seq, gapEnd ?? 0) }
    }

    struct Subscription {
        let pattern: Pattern
        let only: Set<String>?
    }
}
