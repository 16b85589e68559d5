import Protocol

extension Loader {
    mutating func loadKeys() throws(SQLiteStatus) {
        let statement = try connection.once(
            "SELECT address, number, key, first, last, seal FROM keys ORDER BY address, number")
        var broken = 0
        try statement.forEach { row throws(SQLiteStatus) in
            if !take(key: row) { broken += 1 }
            return true
        }
        if broken > 0 {
            loaded.findings.append("\(broken) keys of earlier sends are left out: a broken seal")
        }
    }

    private mutating func take(key row: Statement) -> Bool {
        guard let text = row.text(0), let address = Address(text),
            let number = row.number(1), let key = row.text(2)
        else { return false }
        let read = KeyRow(
            address: text, number: number, key: key, first: row.number(3), last: row.number(4))
        guard read.seal == row.integer(5) else { return false }
        // They come in order, unless the file is damaged.
        if let last = loaded.keys.last?.address, address < last { return false }
        if loaded.keys.last?.address != address { loaded.keys.append(KeyWindow(of: address)) }
        loaded.keys[loaded.keys.count - 1].remember(key, read.answer)
        return true
    }
}

extension KeyRow {
    /// `nil` where the `send` caused nothing.
    fileprivate var answer: ClosedRange<Int>? {
        guard let first, let last, 1 <= first, first <= last else { return nil }
        return first...last
    }
}
