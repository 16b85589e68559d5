import Protocol

/// A `list` of which not all rows have been made.
struct Listing {
    let id: Request.ID?
    var walk: Walk
    /// The next row is not the first.
    var hasRows = false

    init(_ pattern: Pattern, _ id: Request.ID?, lastNumber: UInt32) {
        self.id = id
        walk = Walk(pattern, lastNumber: lastNumber)
    }
}
