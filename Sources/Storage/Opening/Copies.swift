import BusdProtocol

/// The two verified copies, read at first use.
final class Copies {
    struct Copy {
        let path: String
        let connection: Database
        let tables: StateTables
    }

    private let paths: [String]
    private let kinds: [KindCheck]

    init(of folder: StoreFolder) { (paths, kinds) = (folder.copies, folder.daemon.kinds) }

    var exist: Bool { paths.contains { File.exists($0) } }

    /// Newest first, without unreadable copies.
    private(set) lazy var all: [Copy] = paths.compactMap { path in
        guard File.exists(path), let connection = try? Database(path: path, .alone),
            (try? connection.version()) == Schema.version,
            let tables = try? StateTables(of: connection, kinds)
        else { return nil }
        return Copy(path: path, connection: connection, tables: tables)
    }.sorted { $0.tables.covered > $1.tables.covered }
}
