/// A page of a b-tree on which there are rows; see "B-tree Pages" in
/// https://sqlite.org/fileformat2.html.
///
/// Tables with row ids have their rows on leaves; those without are indexes of themselves, and have
/// some on the pages above the leaves too.
struct RowPage {
    private let bytes: [UInt8]
    private let kind: Kind
    private var cells: [Int] = []

    private enum Kind: UInt8 {
        case indexInterior = 2
        case indexLeaf = 10
        case tableLeaf = 13
    }

    /// `nil` for any other page.
    init?(_ page: [UInt8], number: Int) {
        // The first begins with the file's own head.
        let head = number == 1 ? 100 : 0
        guard page.count == Pages.size, let kind = Kind(rawValue: page[head]) else { return nil }
        bytes = page
        self.kind = kind
        var reader = ByteReader(page[(head + 3)...])
        guard let count = reader.number(2) else { return nil }
        _ = reader.take(kind == .indexInterior ? 7 : 3)
        for _ in 0..<count {
            guard let cell = reader.number(2) else { break }
            cells.append(cell)
        }
    }

    /// Rows, of which those that are long go on elsewhere.
    struct Cell {
        var rowID: Int64?
        var payload: [UInt8]
        /// So many bytes are missing, and are on the overflow pages from this one on.
        var missing = 0
        var overflow = 0
    }

    /// Those that can be made out, at most so long.
    func rows(upTo longest: Int) -> [Cell] { cells.compactMap { cell(at: $0, upTo: longest) } }

    private func cell(at offset: Int, upTo longest: Int) -> Cell? {
        guard bytes.indices.contains(offset) else { return nil }
        var reader = ByteReader(bytes[offset...])
        if kind == .indexInterior { _ = reader.take(4) }
        let longest = Int64(longest)  // fits: both have 64 bits
        guard let length = reader.varint(), 0 < length, length <= longest else { return nil }
        let size = Int(length)  // fits: both have 64 bits
        var rowID: Int64?
        if kind == .tableLeaf {
            rowID = reader.varint()
            if rowID == nil { return nil }
        }
        let local = localSize(of: size)
        guard let payload = reader.take(local) else { return nil }
        var cell = Cell(rowID: rowID, payload: Array(payload))
        if local < size {
            guard let page = reader.number(4) else { return nil }
            (cell.missing, cell.overflow) = (size - local, page)
        }
        return cell
    }

    /// How much of a row is on the page itself.
    private func localSize(of size: Int) -> Int {
        let usable = Pages.size
        let most = kind == .tableLeaf ? usable - 35 : (usable - 12) * 64 / 255 - 23
        guard size > most else { return size }
        let least = (usable - 12) * 32 / 255 - 23
        let fitting = least + (size - least) % (usable - 4)  // fits: a page is 4,096 bytes
        return fitting <= most ? fitting : least
    }
}
