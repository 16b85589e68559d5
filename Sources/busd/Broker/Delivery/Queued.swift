import BusdProtocol

/// The kind of a line in a backlog, which decides whether the line is dropped while its reader is
/// slow. `LineOrigin` is the kind of the same line in the turn log.
enum Queued {
    /// An event, which may be dropped. `previous` is the `seq` of the event of the view model that
    /// was queued before it. Also an arrival: the snapshot of a new view model and its `live`, with
    /// `seq` 0 and `previous` nil. The view model may have ended, so the line has its address.
    case event(ModelID, Address, seq: Int, previous: Int?, at: Instant)
    /// The answer to a request.
    case answer
    /// The `live` after the snapshot for a `subscribe`: the connection was shown the view model as
    /// of `seq`; `nil`: the `live` of a pattern.
    case joined(ModelID?, seq: Int)
    /// A view model has ended, or is hidden from the connection now. `isNamed`: an answer to
    /// `subscribe` has named it, so the line is kept even if the connection was not shown the view
    /// model.
    case gone(ModelID, isNamed: Bool)
    /// A gap, a snapshot of a catch-up that is of no request, `ping` or `bye`.
    case notice
    /// The place of the catch-up with this number. It has no bytes, and nothing behind it is
    /// written before the catch-up is complete.
    case catchUp(Int)
}

/// A line in a backlog.
struct QueuedLine {
    let kind: Queued
    /// Bytes that are not written yet.
    private(set) var length: Int
    /// The socket has taken its first bytes, so the others must follow.
    private(set) var isBegun: Bool
    /// Bytes of it that were shared when it was queued.
    let sharedLength: Int

    init(kind: Queued, length: Int, isBegun: Bool = false, sharedLength: Int = 0) {
        self.kind = kind
        self.length = length
        self.isBegun = isBegun
        self.sharedLength = sharedLength
    }

    /// The socket took its first bytes, but not all.
    mutating func wrote(_ count: Int) {
        length -= count
        isBegun = true
    }

    /// It can be dropped.
    var isDroppable: Bool { if case .event = kind { !isBegun } else { false } }

    var isAnswer: Bool {
        switch kind {
        case .answer, .joined: true
        default: false
        }
    }
}
