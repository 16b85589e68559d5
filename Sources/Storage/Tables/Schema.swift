/// The tables, in two files. A backup or verified copy has all tables in one file.
enum Schema {
    /// SQLite's `user_version` of each file. The `application_id` is that of `StoreDaemon`, or 0 if
    /// a former program wrote the file.
    static let version = 6

    static let log = """
        CREATE TABLE log (
            n INTEGER PRIMARY KEY,    -- the place in the log
            time INTEGER NOT NULL,    -- microseconds since 1970
            kind TEXT NOT NULL,
            id TEXT NOT NULL,         -- empty: the library itself
            prev INTEGER NOT NULL,    -- the entry before of the same thing, or its creation; or
                                      -- 0; or n, if this entry says all of the thing
            by TEXT,                  -- the name of the client; or its name, its user id and
                                      -- the daemon that took the entry, with tabs between them
            version INTEGER NOT NULL, -- 1: the body is an action; 2: the state after this entry
            key INTEGER,
            key_of_library INTEGER NOT NULL,
            unchanged_since INTEGER,
            body BLOB NOT NULL,       -- as JSON
            checksum INTEGER NOT NULL
        ) STRICT;
        """

    static let states = """
        CREATE TABLE state (
            place INTEGER PRIMARY KEY,
            kind TEXT NOT NULL,
            id TEXT NOT NULL,         -- empty: the library itself
            n INTEGER NOT NULL,       -- the newest entry of the thing
            effect INTEGER NOT NULL,  -- the newest that had an effect
            summary BLOB NOT NULL,
            body BLOB NOT NULL,
            keys BLOB NOT NULL,
            checksum INTEGER NOT NULL
        ) STRICT;
        CREATE UNIQUE INDEX state_of ON state (kind, id);

        CREATE TABLE note (
            place INTEGER PRIMARY KEY CHECK (place = 1),
            time INTEGER NOT NULL,
            n INTEGER NOT NULL,       -- the newest entry at that time
            covered INTEGER NOT NULL, -- the states are as of this entry
            checksum INTEGER NOT NULL
        ) STRICT;

        CREATE TABLE removal (
            place INTEGER PRIMARY KEY,
            kind TEXT NOT NULL,
            id TEXT NOT NULL,
            n INTEGER NOT NULL,       -- the newest entry of the thing
            deleted INTEGER NOT NULL, -- 0: that entry stays in the log
            checksum INTEGER NOT NULL
        ) STRICT;

        CREATE TABLE draft (
            place INTEGER PRIMARY KEY,
            kind TEXT NOT NULL,
            address TEXT NOT NULL,
            body BLOB NOT NULL,
            checksum INTEGER NOT NULL
        ) STRICT;
        """
}

extension Database {
    /// 0 if the file has no table. Nothing is written.
    func version() throws(StoreError) -> Int {
        let version = try integer("PRAGMA user_version") ?? 0
        if version == 0, try integer("SELECT count(*) FROM sqlite_schema") != 0 {
            throw .damage("it has tables and no version", path: path)
        }
        // No version will be this large, so the number is damaged.
        guard 0...255 ~= version else {
            throw .damage("its version is \(version)", path: path)
        }
        guard version <= Schema.version else {
            throw .tooNew(path: path, version: version, known: Schema.version)
        }
        return version
    }

    /// Throws unless the file has the tables of a store.
    func requireTables() throws(StoreError) {
        guard try version() == Schema.version else {
            throw .damage("the file has no tables", path: path)
        }
    }
}
