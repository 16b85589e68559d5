public import BusdProtocol

extension Timeline {
    /// Moves by `span`, and fires each timer that is due until then at its own time.
    public func advance(by span: Duration) { advance(to: now + span) }
}
