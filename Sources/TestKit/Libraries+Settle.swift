public import BusdProtocol

extension Libraries {
    /// Ends a turn as the daemon does: appends the proposals to the log, and applies committed
    /// entries. Entries that the log holds back stay pending.
    public func settle() {
        repeat { commit() } while applyNext() != nil
    }
}
