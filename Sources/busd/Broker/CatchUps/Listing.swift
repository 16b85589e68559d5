import BusdProtocol

/// An answer with one row per view model that a pattern matches, as far as it is not written yet.
struct Listing {
    enum Row {
        /// The answer to `subscribe`.
        case addresses
        /// The answer to `list`.
        case descriptions
    }

    let row: Row
    let id: Request.ID?
    var walk: Walk
    /// A comma precedes the next row.
    var hasRows = false
    var hasBegun = false

    init(_ pattern: Pattern, of row: Row, _ id: Request.ID?, lastNumber: UInt32) {
        self.row = row
        self.id = id
        walk = Walk(pattern, lastNumber: lastNumber)
    }
}
