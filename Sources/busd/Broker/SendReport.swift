import BusdProtocol

/// The effects of a `send`, for its answer.
struct SendReport: Equatable {
    /// The first and the last `seq` of the addressee's events; `nil`: there were none.
    var caused: ClosedRange<Int>?
    /// The `send` had an effect, even if no event shows it.
    var hasChanged = false
    /// The first view model that the `send` created.
    var made: Address?
}
