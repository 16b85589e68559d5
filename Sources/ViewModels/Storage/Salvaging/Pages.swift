/// The pages of a database and of its log, read without SQLite, which gives none where one of them
/// is damaged that leads to the others.
struct Pages {
    /// Of every store: `Connection` sees to it.
    static let size = 4096

    private let file: ReadableFile?
    private let log: LogFile
    let count: Int

    init(of database: String, _ log: LogFile) {
        file = ReadableFile(database)
        self.log = log
        count = log.pageCount ?? ((file?.size ?? 0) + Self.size - 1) / Self.size
    }

    /// From 1. What is not there is zeros.
    subscript(_ number: Int) -> [UInt8] {
        guard 1...max(1, count) ~= number else { return [] }
        let page =
            log.page(number) ?? file?.bytes(at: (number - 1) * Self.size, count: Self.size) ?? []
        return page + [UInt8](repeating: 0, count: Self.size - page.count)
    }
}
