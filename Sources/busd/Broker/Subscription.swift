import Protocol

/// What a connection has subscribed to.
struct Subscription {
    let pattern: Pattern
    let name: String?
    let only: Set<String>?
}

/// A view model of which events were dropped, or that it has come: told once the socket takes bytes
/// again.
struct Stall {
    /// In place of a number: the view model is shown by a join that is under way.
    static let join = 0

    let model: ModelID
    let address: Address
    /// In which gap it is told.
    let gap: Int
    /// The last `seq` that was written; `nil` where the view does not know the view model yet.
    let lastWritten: Int?
    /// The last `seq` that is missed, where no snapshot follows here: the view model has ended, or
    /// the view has left it, or it has joined it again. `nil` while the view is to be shown the
    /// view model here.
    var end: Int?
}
