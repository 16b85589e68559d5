public import BusdProtocol

/// How far a client has come with a view model, so that it can resume there after a loss.
///
/// The cursor comes with `live` and goes on with each event. During a snapshot it stays behind, so
/// that a connection that is lost in the middle resumes from before it.
public struct Bookmark {
    public private(set) var cursor: Cursor?

    public init(at cursor: Cursor? = nil) { self.cursor = cursor }

    /// The view model has been told whole up to here.
    public mutating func becameLive(at cursor: Cursor) { self.cursor = cursor }

    /// False for an event that was heard before: two subscribers of one connection may cause that.
    public mutating func isNew(_ event: BusEvent) -> Bool {
        guard let cursor, !event.isSnapshot else { return true }
        guard event.seq > cursor.seq else { return false }
        self.cursor = Cursor(mark: cursor.mark, seq: event.seq)
        return true
    }
}
