import BusdProtocol

/// The kind of a line in the turn log. If a socket does not take the line, the kind becomes that of
/// the line in the backlog (`Queued`), which decides whether the line can be dropped.
enum LineOrigin: Equatable {
    /// An event. It may be dropped; a gap reports it.
    case event(ModelID, seq: Int, at: Instant)
    /// The snapshot of a new view model and its `live`, as one line. It may be dropped; a catch-up
    /// shows the view model.
    case arrival(ModelID, at: Instant)
    /// The answer to a request, or a line of the snapshot that follows it: never dropped.
    case answer
    /// The `live` after the snapshot for a `subscribe`: never dropped. The connection was shown the
    /// view model as of `seq`, so gaps of later events follow this line.
    case joined(ModelID, seq: Int)
    /// A view model has ended, or is hidden from the connection now: dropped only with the arrival
    /// of the view model. `isNamed`: an answer to `subscribe` has named it, so the line is never
    /// dropped.
    case gone(ModelID, isNamed: Bool)
    /// `ping` or `bye`: never dropped, and no answer.
    case notice
}
