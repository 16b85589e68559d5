import BusdProtocol

/// What a line in a backlog is, which decides what may become of it while its reader is slow.
enum Queued {
    /// An event, which may be dropped. `previous` is the last `seq` in line before it; `nil`: the
    /// line shows a view model that has arrived.
    case event(ModelID, seq: Int, previous: Int?, at: Instant)
    case answer
    /// The end of an answer to `subscribe`: the connection knows the view model as of `seq`. `nil`
    /// for a pattern.
    case joined(ModelID?, seq: Int)
    /// A view model has ended. `isNamed`: an answer to `subscribe` has named it.
    case gone(ModelID, isNamed: Bool)
    /// A snapshot after a gap, `ping` or `bye`.
    case notice
    /// A place without bytes: nothing behind it is written before this catch-up is complete.
    case catchUp(Int)
}

/// A line in a backlog.
struct QueuedLine {
    let kind: Queued
    /// Bytes that are not written yet.
    var length: Int
    /// The socket has taken its first bytes.
    var isBegun = false
    /// Bytes of it that were shared when it was queued.
    var sharedLength = 0

    /// It can be dropped.
    var isDroppable: Bool { if case .event = kind { !isBegun } else { false } }

    var isAnswer: Bool {
        switch kind {
        case .answer, .joined: true
        default: false
        }
    }
}
