import BusdProtocol

/// What a `send` did, as its answer reports it.
struct Outcome: Equatable {
    /// The first and the last `seq` of the addressee's events.
    var caused: ClosedRange<Int>?
    /// It had an effect.
    var hasChanged = false
    /// The view model that it created; of several the first.
    var made: Address?
}

extension Outcome {
    /// As a journal keeps it, without `made`.
    init(kept: ClosedRange<Int>?) {
        self.init(caused: kept == Self.silently ? nil : kept, hasChanged: kept != nil)
    }

    var kept: ClosedRange<Int>? { caused ?? (hasChanged ? Self.silently : nil) }

    /// Stands for a change without events: no event has this number.
    private static let silently = 0...0
}
