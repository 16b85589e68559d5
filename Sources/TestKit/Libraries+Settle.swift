public import BusdProtocol

extension Libraries {
    /// Does what the daemon does at the end of a turn: writes what was proposed, and applies it.
    /// Entries that the log holds back stay pending.
    public func settle() {
        repeat { commit() } while applyNext() != nil
    }
}
