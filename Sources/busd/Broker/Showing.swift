/// What is being shown to a connection in pieces: all that is left of it after the last one.
/// Few have any, and it is large.
indirect enum Showing {
    case join(Join)
    case list(Listing)
}

extension Connection {
    var join: Join? { if case .join(let join) = showing { join } else { nil } }

    /// The last request has not been answered completely.
    var isBeingAnswered: Bool {
        switch showing {
        case .list: true
        case .join(let join): join.answer != nil
        case nil: false
        }
    }

    /// Changes the join that is under way, if there is one. It may know thousands of view models,
    /// and is not copied.
    @discardableResult
    mutating func withJoin<Result>(_ change: (inout Join) -> Result?) -> Result? {
        guard case .join(var join) = showing else { return nil }
        showing = nil
        defer { showing = .join(join) }
        return change(&join)
    }
}
