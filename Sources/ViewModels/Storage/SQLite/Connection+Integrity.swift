extension Connection {
    /// Throws where the structure of the file is damaged, or rows are not in the order in which
    /// they are looked for: SQLite would not find them, and say nothing. Values have their seals.
    func checkIntegrity() throws(SQLiteStatus) {
        // A quick check does not look at the order.
        let problems = try texts("PRAGMA integrity_check(1)")
        guard let first = problems.first, first != "ok" else { return }
        // The lines before say in which database, of which there is one.
        let last = first.utf8.split(separator: UInt8(ascii: "\n")).last
        throw .damage(last.map { String(Substring($0)) } ?? first)
    }
}
