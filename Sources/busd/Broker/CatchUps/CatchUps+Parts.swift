import BusdProtocol

extension CatchUps {
    /// An item of the list of a catch-up.
    enum Item {
        /// Shows a view model, with its gap.
        case show(ModelID)
        /// Reports a gap alone, because the wait of the view model has ended early.
        case gap(ModelID, Address, missed: Int)
    }

    enum Pace {
        /// A step is taken in each visit.
        case running
        /// The last step waits, because too much is unread (Bus+PutOff.swift).
        case putOff
        /// The next step is taken although too much is unread.
        case due
    }
}

extension [CatchUps.Item] {
    /// Makes gaps ineffective, and keeps the indices of all items: `.show` of a view model that
    /// does not wait is skipped.
    mutating func replace(gapsOf model: ModelID) {
        for index in indices {
            if case .gap(model, _, _) = self[index] { self[index] = .show(model) }
        }
    }
}
