import BusdProtocol

/// The effects of a `send`, for its answer.
struct SendReport: Equatable {
    /// The first and the last `seq` of the addressee's events; `nil`: there were none.
    let caused: ClosedRange<Int>?
    /// The `send` had an effect, even if no event shows it.
    let hasChanged: Bool
    /// The kind of `made`. In this place it needs no more memory.
    let madeKind: KindID?
    /// The first view model that the `send` created.
    let made: Address?

    init(
        caused: ClosedRange<Int>? = nil, hasChanged: Bool = false, made: Address? = nil,
        of madeKind: KindID? = nil
    ) {
        self.caused = caused
        self.hasChanged = hasChanged
        self.made = made
        self.madeKind = madeKind
    }
}

/// How a `send` ended that was not refused, as `BusTap.Row.outcome` names it.
enum SendEnd: String {
    case changed
    case unchanged
    case duplicate
}
