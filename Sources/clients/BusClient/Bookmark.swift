public import BusdProtocol

/// A client's position in the events of a view model. After a lost connection it resumes there.
///
/// `live` sets the cursor, and each later event advances it. Snapshots do not, so a client that
/// loses its connection during a snapshot resumes from before the snapshot.
public struct Bookmark {
    /// The position; `nil`: the client has no whole state yet.
    public private(set) var cursor: Cursor?

    /// `nil`: the beginning.
    public init(at cursor: Cursor? = nil) { self.cursor = cursor }

    /// The client has the whole state at this cursor.
    public mutating func becameLive(at cursor: Cursor) { self.cursor = cursor }

    /// False for an event that has arrived before: two listeners of one connection may both
    /// subscribe to the view model.
    public mutating func isNew(_ event: BusEvent) -> Bool {
        guard let cursor, !event.isSnapshot else { return true }
        guard event.seq > cursor.seq else { return false }
        self.cursor = Cursor(mark: cursor.mark, seq: event.seq)
        return true
    }
}
