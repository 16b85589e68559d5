/// The tables, as the steps that have led to them: step n brings a file from version n - 1 to n.
/// Steps are only ever added at the end; one that has been released does not change any more.
enum Schema {
    static let steps = [
        """
        CREATE TABLE library (
            only_one INTEGER PRIMARY KEY CHECK (only_one = 1),
            next_game INTEGER NOT NULL,
            seal INTEGER NOT NULL
        ) STRICT;

        CREATE TABLE games (
            id INTEGER PRIMARY KEY,
            teams TEXT NOT NULL,      -- eight names, a line each: a team, its players, the other
            elapsed INTEGER NOT NULL, -- microseconds
            chunks INTEGER NOT NULL,  -- how many rows the game has in moves
            latest BLOB NOT NULL,     -- the moves after those, a byte each
            seal INTEGER NOT NULL
        ) STRICT;

        CREATE TABLE moves (
            game INTEGER NOT NULL REFERENCES games (id),
            place INTEGER NOT NULL,
            moves BLOB NOT NULL,
            seal INTEGER NOT NULL,
            PRIMARY KEY (game, place)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE keys (
            address TEXT NOT NULL,
            number INTEGER NOT NULL,
            key TEXT NOT NULL,
            first INTEGER,
            last INTEGER,
            seal INTEGER NOT NULL,
            PRIMARY KEY (address, number)
        ) STRICT, WITHOUT ROWID;
        """,
        """
        CREATE TABLE shelf (
            only_one INTEGER PRIMARY KEY CHECK (only_one = 1),
            next_book INTEGER NOT NULL,
            seal INTEGER NOT NULL
        ) STRICT;

        CREATE TABLE books (
            id INTEGER PRIMARY KEY,
            rank INTEGER NOT NULL,  -- the order of the books
            name TEXT NOT NULL,
            cards INTEGER NOT NULL, -- how many rows the book has in cards
            known BLOB NOT NULL,    -- a bit a card, the first in the lowest bit of the first byte
            asked INTEGER,          -- the place of the card that is asked
            seal INTEGER NOT NULL
        ) STRICT;

        CREATE TABLE cards (
            book INTEGER NOT NULL REFERENCES books (id),
            place INTEGER NOT NULL, -- from 0
            front TEXT NOT NULL,
            back TEXT NOT NULL,
            seal INTEGER NOT NULL,
            PRIMARY KEY (book, place)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE users (
            name TEXT PRIMARY KEY,
            hash TEXT NOT NULL,     -- what Argon2id has made of the password
            seal INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        """,
        """
        CREATE TABLE recent_keys (
            place INTEGER PRIMARY KEY, -- from 1, the oldest first
            address TEXT NOT NULL,
            number INTEGER NOT NULL,
            key TEXT NOT NULL,
            first INTEGER,
            last INTEGER,
            seal INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        """,
        // With row ids, what comes is put behind the rest without moving any of it.
        """
        CREATE TABLE appended_keys (
            place INTEGER PRIMARY KEY, -- from 1, the oldest first
            address TEXT NOT NULL,
            number INTEGER NOT NULL,
            key TEXT NOT NULL,
            first INTEGER,
            last INTEGER,
            seal INTEGER NOT NULL
        ) STRICT;
        INSERT INTO appended_keys SELECT * FROM recent_keys;
        DROP TABLE recent_keys;
        ALTER TABLE appended_keys RENAME TO recent_keys;
        """,
    ]
}
