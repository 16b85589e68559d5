import TestSupport

@testable import BusdStorage

/// A store of version 4 or older, made with the SQL of those versions.
struct OlderFixture {
    private let connection: Connection

    static let steps = [
        """
        CREATE TABLE library (
            only_one INTEGER PRIMARY KEY CHECK (only_one = 1),
            next_game INTEGER NOT NULL, seal INTEGER NOT NULL) STRICT;
        CREATE TABLE games (
            id INTEGER PRIMARY KEY, teams TEXT NOT NULL, elapsed INTEGER NOT NULL,
            chunks INTEGER NOT NULL, latest BLOB NOT NULL, seal INTEGER NOT NULL) STRICT;
        CREATE TABLE moves (
            game INTEGER NOT NULL REFERENCES games (id), place INTEGER NOT NULL,
            moves BLOB NOT NULL, seal INTEGER NOT NULL,
            PRIMARY KEY (game, place)) STRICT, WITHOUT ROWID;
        CREATE TABLE keys (
            address TEXT NOT NULL, number INTEGER NOT NULL, key TEXT NOT NULL,
            first INTEGER, last INTEGER, seal INTEGER NOT NULL,
            PRIMARY KEY (address, number)) STRICT, WITHOUT ROWID;
        """,
        """
        CREATE TABLE shelf (
            only_one INTEGER PRIMARY KEY CHECK (only_one = 1),
            next_book INTEGER NOT NULL, seal INTEGER NOT NULL) STRICT;
        CREATE TABLE books (
            id INTEGER PRIMARY KEY, rank INTEGER NOT NULL, name TEXT NOT NULL,
            cards INTEGER NOT NULL, known BLOB NOT NULL, asked INTEGER,
            seal INTEGER NOT NULL) STRICT;
        CREATE TABLE cards (
            book INTEGER NOT NULL REFERENCES books (id), place INTEGER NOT NULL,
            front TEXT NOT NULL, back TEXT NOT NULL, seal INTEGER NOT NULL,
            PRIMARY KEY (book, place)) STRICT, WITHOUT ROWID;
        CREATE TABLE users (
            name TEXT PRIMARY KEY, hash TEXT NOT NULL, seal INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        """,
        """
        CREATE TABLE recent_keys (
            place INTEGER PRIMARY KEY, address TEXT NOT NULL, number INTEGER NOT NULL,
            key TEXT NOT NULL, first INTEGER, last INTEGER, seal INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        """,
        """
        DROP TABLE recent_keys;
        CREATE TABLE recent_keys (
            place INTEGER PRIMARY KEY, address TEXT NOT NULL, number INTEGER NOT NULL,
            key TEXT NOT NULL, first INTEGER, last INTEGER, seal INTEGER NOT NULL) STRICT;
        """,
    ]

    init(in folder: Folder, version: Int = 4) throws {
        try BusdStorage.File.makeNew(folder("store.sqlite"))
        connection = try Connection(path: folder("store.sqlite"))
        try connection.useWAL(.full)
        for step in Self.steps.prefix(version) { try connection.execute(step) }
        try connection.execute("PRAGMA user_version = \(version)")
        try write("games 1\nbooks 1\nseal 1\n".utf8.map { $0 }, to: folder.ids)
        try put("library", [.integer(9)], first: [.integer(1)])
        for id in [2, 5] {
            let names = ["Hawks", "Ann", "Bo", "Cy", "Jets", "Di", "Ed", "Flo"]
            try put(
                "games",
                [
                    .integer(id), .text(names.joined(separator: "\n")), .integer(id * 1_000_000),
                    .integer(id == 5 ? 1 : 0), .blob([0, 1 << 3 | 2]),
                ])
        }
        let chunk = [UInt8](repeating: 2 << 3 | 4, count: 256)
        try put("moves", [.integer(5), .integer(0), .blob(chunk)])
        try put(
            "keys", [.text("games"), .integer(1), .text("made"), .integer(3), .integer(4)],
            null: 0)
        try put(
            "keys", [.text("scoreboard/5/home/1"), .integer(1), .text("moved"), .null, .null],
            null: 0)
        if version >= 2 { try fillBooks() }
        guard version >= 3 else { return }
        let key: [SQLValue] = [
            .text("scoreboard/5"), .integer(1), .text("recent"), .null, .null,
        ]
        try put("recent_keys", key, first: [.integer(1)], null: 0)
    }

    private func fillBooks() throws {
        try put("shelf", [.integer(4)], first: [.integer(1)])
        for (id, rank) in [(1, 7), (3, 2)] {
            try put(
                "books",
                [
                    .integer(id), .integer(rank), .text("Book \(id)"), .integer(3), .blob([0b101]),
                    .integer(1),
                ])
            for place in 0..<3 {
                try put(
                    "cards",
                    [.integer(id), .integer(place), .text("front \(place)"), .text("back")])
            }
        }
        try put("users", [.text("ann"), .text("hash of ann")])
        try put("users", [.text("bo"), .text("hash of bo")])
    }

    private func put(
        _ table: String, _ row: [SQLValue], first: [SQLValue] = [], null: Int = -1
    ) throws {
        try connection.put(first + row + [row.checksum(null: null)], into: table)
    }
}
