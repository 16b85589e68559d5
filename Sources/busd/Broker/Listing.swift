import BusdProtocol

/// The rows of an answer that have not been written yet: one per view model that a pattern matches,
/// separated by commas.
struct Listing {
    let id: Request.ID?
    var walk: Walk
    /// Rows were written: a comma precedes the next one.
    var hasRows = false
    /// The beginning of the answer was written.
    var hasBegun = false

    init(_ pattern: Pattern, _ id: Request.ID?, lastNumber: UInt32) {
        self.id = id
        walk = Walk(pattern, lastNumber: lastNumber)
    }
}
