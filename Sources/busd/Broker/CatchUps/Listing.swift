import BusdProtocol

/// An answer with one row for each view model that a pattern matches, and how far it is written.
struct Listing {
    enum Row {
        /// The address alone, for the answer to `subscribe`.
        case addresses
        /// Address, kind, `views` and `seq`, for the answer to `list`.
        case descriptions
    }

    let row: Row
    let id: Request.ID?
    /// Through the view models without a written row.
    private(set) var walk: Walk
    /// A row is written, so a comma precedes the next one.
    private var hasRows = false
    /// The text before the rows is written.
    private var hasBegun = false

    init(_ pattern: Pattern, of row: Row, _ id: Request.ID?, lastNumber: UInt32) {
        self.row = row
        self.id = id
        walk = Walk(pattern, lastNumber: lastNumber)
    }

    /// Returns whether the text before the rows has to be written now.
    mutating func begins() -> Bool {
        defer { hasBegun = true }
        return !hasBegun
    }

    /// A row is written. Returns whether a comma precedes it.
    mutating func addsRow() -> Bool {
        defer { hasRows = true }
        return hasRows
    }

    /// The rows up to the address are written.
    mutating func pass(_ address: String) { walk.pass(address) }

    /// View models with a higher number get no row, if the end was not known before.
    mutating func close(at number: UInt32) { walk.close(at: number) }

    /// View models that these rights hide, or that arrive later, get no row.
    mutating func narrow(to rights: Rights?, lastNumber: UInt32) {
        walk.narrow(to: rights, lastNumber: lastNumber)
    }
}
