import BusdProtocol

/// The kind of a line, which decides whether a slow connection may miss it.
enum LineOrigin: Equatable {
    /// An event. It may be dropped for a gap.
    case event(ModelID, seq: Int, at: Instant)
    /// The snapshot of a new view model, as one line. It may be dropped for a later snapshot.
    case arrival(ModelID, at: Instant)
    /// The answer to a request: never dropped.
    case answer
    /// The end of the answer to `subscribe` for a view model, as of `seq`. Later gaps follow this
    /// line.
    case joined(ModelID, seq: Int)
    /// A view model has ended: dropped only with the arrival of the view model. `isNamed`: an
    /// answer has named it.
    case gone(ModelID, isNamed: Bool)
    /// A snapshot after a gap, `ping` or `bye`: never dropped, and no answer.
    case notice
}
