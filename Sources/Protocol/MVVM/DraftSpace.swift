/// The services of a view model that keeps a draft.
public protocol HasDrafts {
    /// The bytes of all drafts of the daemon.
    var drafts: DraftSpace { get }
}

/// Counts the bytes of all drafts, which have a common limit.
public final class DraftSpace {
    private let most: Int
    /// The bytes of all drafts now.
    public fileprivate(set) var bytes = 0

    /// Without drafts. `most` is the limit in bytes.
    public init(most: Int = Drafts.mostBytes) { self.most = most }

    fileprivate func refusal(ofMore more: Int) -> Refusal? {
        guard more > 0, bytes + more > most else { return nil }
        return .overloaded(
            "all drafts together have at most \(most) bytes: empty one", limit: Drafts.drafts)
    }
}

/// The bytes of one draft. Its `deinit` returns them to the space.
public final class DraftShare {
    private let space: DraftSpace
    /// The bytes that the draft has now.
    public var bytes = 0 {
        didSet { space.bytes += bytes - oldValue }
    }

    /// No bytes yet.
    public init(of space: DraftSpace) { self.space = space }

    deinit { space.bytes -= bytes }

    /// Why the draft cannot have this name; `nil` if it can.
    public func refusal(ofName name: String, inPlaceOf last: String) -> Refusal? {
        guard name.utf8.count <= Drafts.longestName else {
            return .badEvent(
                "a name in a draft has at most \(Drafts.longestName) bytes", at: "name",
                limit: Drafts.draftName)
        }
        return space.refusal(ofMore: name.utf8.count - last.utf8.count)
    }

    /// Why the draft cannot have so many bytes more; `nil` if it can.
    public func refusal(ofBytes more: Int, inPlaceOf last: Int) -> Refusal? {
        space.refusal(ofMore: more - last)
    }

    /// Whether the draft may have this many bytes.
    public func hasRoom(for total: Int) -> Bool { space.refusal(ofMore: total - bytes) == nil }
}
