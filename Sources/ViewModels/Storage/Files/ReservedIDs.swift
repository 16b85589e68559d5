/// Up to where ids may have been given out: a second record, in a file of its own beside the
/// database, so that none is given out again when the database is lost, or the pages on which it
/// has the next ones. It runs ahead by a block, so it is seldom written.
struct ReservedIDs: Equatable {
    /// None from these on has been given out.
    var games = 1
    var books = 1

    private static let block = 1024

    /// What the file must say where these are the next ids; `nil` where it says so.
    func extended(toGame game: Int?, book: Int?) -> ReservedIDs? {
        var more = self
        if let game, game > games { more.games = Self.end(behind: game) }
        if let book, book > books { more.books = Self.end(behind: book) }
        return more == self ? nil : more
    }

    /// Behind the largest ids there is no block.
    private static func end(behind id: Int) -> Int {
        let last = min(id, .max - 2 * block) - 1
        let blocks = last / block + 1  // fits: a block is not empty
        return blocks * block + 1  // fits: there is room for two
    }

    // MARK: The file

    /// `nil` where there is none, or one that says nothing.
    init?(of folder: StoreFolder) {
        let bytes = ReadableFile(folder.ids)?.bytes(at: 0, count: 256) ?? []
        let words = bytes.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") }
            .map { String(decoding: $0, as: UTF8.self) }
        guard words.count > 4,
            let games = Int(words[1]), let books = Int(words[3])  // fits: else they are nil
        else { return nil }
        self.init(games: games, books: books)
        guard bytes == self.bytes else { return nil }
    }

    init(games: Int = 1, books: Int = 1) {
        (self.games, self.books) = (games, books)
    }

    func write(to folder: StoreFolder) throws(StoreError) {
        try File.replace(folder.ids, with: bytes)
    }

    private var bytes: [UInt8] {
        var seal = Seal()
        for number in [games, books] { seal.add(number) }
        return Array("games \(games)\nbooks \(books)\nseal \(seal.value)\n".utf8)
    }
}
