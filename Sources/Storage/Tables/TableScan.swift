/// Reads the rows of a table by number, and skips rows that SQLite cannot read. If a row cannot be
/// read, the scan also reads from the other end, and then bisects the rest.
struct TableScan {
    /// A row with another number is damaged. Arithmetic on these numbers does not overflow.
    static let numbers = 0...(1 << 53)

    private let connection: Database
    private let table: String
    private let column: String
    private let columns: Int
    private let ascending: String
    private let descending: String
    /// Numbers of unreadable rows. Some of these rows may not exist.
    private(set) var unreadable: [ClosedRange<Int>] = []
    private(set) var damage: StoreError?
    private var failures = 0

    /// Enough for the rows of some hundred damaged pages.
    private static let mostFailures = 16_384

    /// - Parameter number: the name of the first column.
    init(of table: String, by number: String, columns: Int, _ connection: Database) {
        (self.connection, self.table, column) = (connection, table, number)
        self.columns = columns
        ascending = """
            SELECT * FROM \(table) WHERE \(number) BETWEEN ?1 AND ?2 ORDER BY \(number)
            """
        descending = ascending + " DESC"
    }

    /// Calls `body` for each row after `number`, in ascending order unless the table is damaged.
    ///
    /// Two scans of a damaged table may find different rows: SQLite looks for the first row of a
    /// range by the numbers in the table, and damaged numbers lead it elsewhere.
    mutating func readAll(
        after number: Int = -1, upTo most: Int? = nil,
        _ body: (Int, [SQLValue]) throws(StoreError) -> Void
    ) throws(StoreError) {
        // If SQLite cannot find the first or the last row, all possible numbers are tried.
        let first = try? connection.integer("SELECT min(\(column)) FROM \(table)")
        let last = try? connection.integer("SELECT max(\(column)) FROM \(table)")
        let numbers = Self.numbers
        if first ?? 0 < numbers.lowerBound || last ?? 0 > numbers.upperBound {
            damage = .damage("a row has no possible number", path: connection.path)
        }
        let end = min(last ?? numbers.upperBound, most ?? numbers.upperBound, numbers.upperBound)
        // fits: it is less than `end`
        if number < end { try read(max(number + 1, numbers.lowerBound)...end, body) }
    }

    private mutating func read(
        _ range: ClosedRange<Int>, _ body: (Int, [SQLValue]) throws(StoreError) -> Void
    ) throws(StoreError) {
        var (first, last) = (range.lowerBound, range.upperBound)
        for isAscending in [true, false] where first <= last {
            let sql = isAscending ? ascending : descending
            let isWhole = try attempt(sql, first, last) { number, row throws(StoreError) in
                // Not `first...last`: `first` is behind `last` after the last row.
                guard first <= number, number <= last else { return false }
                // fits: it is in `numbers`
                if isAscending { first = number + 1 } else { last = number - 1 }
                try body(number, row)
                return true
            }
            if isWhole { return }
        }
        guard first <= last else { return }
        guard first < last, failures < Self.mostFailures else { return note(first...last) }
        let middle = first + (last - first) / 2
        try read(first...middle, body)
        try read((middle + 1)...last, body)
    }

    /// Returns whether all rows were read. `body` returns false for a row that is out of place.
    private mutating func attempt(
        _ sql: String, _ first: Int, _ last: Int,
        _ body: (Int, [SQLValue]) throws(StoreError) -> Bool
    ) throws(StoreError) -> Bool {
        do {
            try connection.statement(sql).forEach([.integer(first), .integer(last)]) {
                row throws(StoreError) in
                guard row.count == columns, let number = row[0].number, try body(number, row) else {
                    throw .damage("a row is not in its place", path: connection.path)
                }
                return true
            }
            return true
        } catch {
            guard error.isDamageOfRow else { throw error }
            damage = damage ?? error
            failures += 1
            return false
        }
    }

    private mutating func note(_ range: ClosedRange<Int>) {
        if let last = unreadable.last, last.upperBound + 1 == range.lowerBound {
            unreadable[unreadable.count - 1] = last.lowerBound...range.upperBound
        } else {
            unreadable.append(range)
        }
    }
}
