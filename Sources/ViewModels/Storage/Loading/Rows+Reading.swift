import BusdProtocol

// The rows of the tables out of their columns, which are in the order of the tables. One whose seal
// is broken is none.

extension NextIDRow {
    /// The first column says nothing.
    init?(_ row: some Columns) {
        guard let next = row.number(1) else { return nil }
        self.init(next: next)
        guard seal == row.integer(2) else { return nil }
    }
}

extension GameRow {
    init(_ row: some Columns) throws(Unusable) {
        guard let id = row.number(0), let teams = row.text(1), let elapsed = row.number(2),
            let chunks = row.number(3), let latest = row.blob(4)
        else { throw .broken("it has values of another kind") }
        self.init(id: id, teams: teams, elapsed: elapsed, chunks: chunks, latest: latest)
        guard seal == row.integer(5) else { throw .broken("its seal is broken") }
        guard chunks >= 0 else { throw .damaged("it has \(chunks) chunks of moves") }
    }

    /// The names of both teams between commas, where they can be read.
    static func title(_ teams: String?) -> String {
        let lines = PackedGame.lines(teams ?? "")
        guard lines.count == 2 * (Team.size + 1), let home = Name(stored: lines[0]),
            let away = Name(stored: lines[Team.size + 1])
        else { return "" }
        return ", \(home.text) and \(away.text),"
    }
}

extension ChunkRow {
    init?(_ row: some Columns) {
        guard let game = row.number(0), let place = row.number(1), let moves = row.blob(2) else {
            return nil
        }
        self.init(game: game, place: place, moves: moves)
        guard seal == row.integer(3) else { return nil }
    }
}

extension BookRow {
    init(_ row: some Columns) throws(Unusable) {
        guard let id = row.number(0), let rank = row.number(1), let name = row.text(2),
            let cards = row.number(3), let known = row.blob(4)
        else { throw .broken("it has values of another kind") }
        self.init(
            id: id, rank: rank, name: name, cards: cards, known: known, asked: row.number(5))
        guard seal == row.integer(6) else { throw .broken("its seal is broken") }
        guard 0...(8 * known.count) ~= cards else { throw .damaged("it has \(cards) cards") }
    }

    static func title(_ name: String?) -> String { shown(name) }
}

extension CardRow {
    init?(_ row: some Columns) {
        guard let book = row.number(0), let place = row.number(1), let front = row.text(2),
            let back = row.text(3)
        else { return nil }
        self.init(book: book, place: place, front: front, back: back)
        guard seal == row.integer(4) else { return nil }
    }
}

extension KeyRow {
    init?(_ row: some Columns) {
        guard let address = row.text(0), let number = row.number(1), let key = row.text(2) else {
            return nil
        }
        self.init(
            address: address, number: number, key: key, first: row.number(3), last: row.number(4))
        guard seal == row.integer(5) else { return nil }
    }
}

extension UserRow {
    init?(_ row: some Columns) {
        guard let name = row.text(0), let hash = row.text(1) else { return nil }
        self.init(name: name, hash: hash)
        guard seal == row.integer(2) else { return nil }
    }

    static func title(_ name: String?) -> String { shown(name) }
}

/// A name between commas, where what was read is one.
private func shown(_ text: String?) -> String {
    text.flatMap(Name.init(stored:)).map { ", \($0.text)," } ?? ""
}

/// Why a row is of no use.
enum Unusable: Error {
    case damaged(String)
    /// Its number may be damaged too.
    case broken(String)
    case unreadable(SQLiteStatus)
}
