import Protocol
import ViewModels

/// Reads a store. A row that makes no sense is left out and listed.
///
/// A file whose structure is damaged is read with `isDamaged`: thing by thing, so that a page that
/// can't be read costs the things on it and no others.
struct Loader {
    let connection: Connection
    let isDamaged: Bool
    var loaded = Loaded()

    init(_ connection: Connection, isDamaged: Bool = false) {
        self.connection = connection
        self.isDamaged = isDamaged
    }

    mutating func load(withKeys: Bool) throws(SQLiteStatus) -> Loaded {
        (loaded.games, loaded.nextGame) = try load(ThingTable.games)
        // A damaged file may be one that has never been brought to this version.
        let version = isDamaged ? try? connection.integer("PRAGMA user_version") : nil
        if version != 1 {
            (loaded.books, loaded.nextBook) = try load(ThingTable.books)
            try orDrop("its users") { loader throws(SQLiteStatus) in try loader.loadUsers() }
        }
        try orDrop("the keys of earlier sends") { loader throws(SQLiteStatus) in
            try loader.loadKeys(all: withKeys)
        }
        return loaded
    }

    /// What can't be read of a damaged file is left out; else the error is the caller's.
    mutating func orDrop(
        _ what: String, _ body: (inout Self) throws(SQLiteStatus) -> Void
    ) throws(SQLiteStatus) {
        do {
            try body(&self)
        } catch {
            guard isDamaged else { throw error }
            note("\(what) can't be read: \(error)")
        }
    }

    mutating func note(_ finding: String) { loaded.findings.append(finding) }

    /// At most twenty of them: `1, 2, 3 and 7 more`.
    static func list(_ numbers: [Int]) -> String {
        let most = 20
        let list = numbers.prefix(most).map(String.init).joined(separator: ", ")
        return numbers.count > most ? "\(list) and \(numbers.count - most) more" : list
    }

    /// A name between commas, where what was read is one.
    static func shown(_ text: String) -> String {
        (try? Name(text)).map { ", \($0.text)," } ?? ""
    }
}

/// Why a row is of no use.
enum Unusable: Error {
    case damaged(String)
    case unreadable(SQLiteStatus)
}
