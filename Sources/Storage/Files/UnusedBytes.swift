import BusdEventLoop
import BusdFiles
import BusdProtocol
import Glibc

/// Overwrites the bytes of a database that no row uses.
///
/// SQLite overwrites removed rows and freed pages. But if it moves a row to another page, the
/// unused part of the first page still has the old bytes. See "B-tree Pages" in
/// https://sqlite.org/fileformat2.html.
enum UnusedBytes {
    private static let pageSize = Database.pageSize
    /// Pages of a portion, which takes some milliseconds.
    private static let portion = 1_024
    private static let size = 4 << 20

    static func overwrite(_ path: String) throws(StoreError) {
        var page: Int? = 0
        while let next = page { page = try overwrite(path, from: next) }
    }

    /// Overwrites a portion, beginning with a page from 0. The write-ahead log must be empty, and
    /// no connection open: it could write pages that it has in memory.
    ///
    /// - Returns: the next page; `nil`: there are no more.
    static func overwrite(_ path: String, from first: Int) throws(StoreError) -> Int? {
        let file = try File.open(path, O_RDWR)
        var bytes = [UInt8](repeating: 0, count: size)
        let start = first * pageSize  // fits: a file has them
        let count = try systemCall("pread", path) {
            pread(file.number, &bytes, bytes.count, off_t(widening: start))
        }
        var hasChanged = false
        for page in 0..<count / pageSize {  // fits: it is not 0
            let place = page * pageSize  // fits: it is in the portion
            let content = bytes[place..<place + pageSize]
            let unused = range(in: content, header: first + page == 0 ? 100 : 0)
            guard let unused, content[unused].contains(where: { $0 != 0 }) else { continue }
            let zeros = [UInt8](repeating: 0, count: unused.count)
            let target = off_t(widening: start + unused.lowerBound)
            try systemCall("pwrite", path) { pwrite(file.number, zeros, zeros.count, target) }
            hasChanged = true
        }
        if hasChanged { try onFile(path, file.sync) }
        return count == bytes.count ? first + portion : nil
    }

    /// The bytes between the numbers of the cells and the cells; `nil` for a page without cells.
    private static func range(in page: ArraySlice<UInt8>, header: Int) -> Range<Int>? {
        let start = page.startIndex + header
        func number(_ offset: Int) -> Int {
            Int(widening: page[start + offset]) << 8 | Int(widening: page[start + offset + 1])
        }
        // The first byte of other pages is 0, in files below 64 GiB.
        let length: Int? =
            switch page[start] {
            case 2, 5: 12
            case 10, 13: 8
            default: nil
            }
        guard let length else { return nil }
        let first = start + length + 2 * number(3)
        let last = page.startIndex + number(5)
        return first < last && last <= page.endIndex ? first..<last : nil
    }
}
