import BusdProtocol

/// What a `send` did, as its answer reports it.
struct SendReport: Equatable {
    /// The first and the last `seq` of the addressee's events.
    var caused: ClosedRange<Int>?
    /// It had an effect.
    var hasChanged = false
    /// The view model that it created; of several the first.
    var made: Address?
}
