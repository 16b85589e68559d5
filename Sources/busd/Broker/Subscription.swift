import Protocol

/// What a connection has subscribed to.
struct Subscription {
    let pattern: Pattern
    let name: String?
    let only: Set<String>?
}

/// The view models that a gap has to be told of, once the socket takes bytes again.
struct Stall {
    let model: ModelID
    let address: Address
    /// The last `seq` that was written.
    let lastWritten: Int
    /// The last `seq` of a view model that has ended meanwhile; `nil` while it is there.
    var end: Int?
}
