public import BusdProtocol

extension Timeline {
    /// Moves by `span`. Each timer that is due by then fires at its own time.
    public func advance(by span: Duration) { advance(to: now + span) }
}
