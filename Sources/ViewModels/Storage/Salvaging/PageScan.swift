/// All rows on all pages of a database, in no order, whether or not any page leads to them.
///
/// On a page that is free there are none: what is deleted is overwritten, `Connection` sees to it.
/// A row may be a wrong one, where a page is damaged: only its seal tells.
struct PageScan {
    private let pages: Pages
    /// Overflow pages that may still be read: a row has each once, but damaged ones may lead to the
    /// same again and again.
    private var overflowsLeft: Int

    init(_ pages: Pages) {
        self.pages = pages
        overflowsLeft = 8 * pages.count
    }

    /// Hands over each row, and the number of its page.
    mutating func forEachRow(_ body: (Record, Int) -> Void) {
        for number in 1...max(1, pages.count) {
            guard let page = RowPage(pages[number], number: number) else { continue }
            for cell in page.rows(upTo: pages.count * Pages.size) {
                guard let payload = payload(of: cell),
                    let record = Record(payload, rowID: cell.rowID)
                else { continue }
                body(record, number)
            }
        }
    }

    /// Each overflow page names the next, and the last none.
    private mutating func payload(of cell: RowPage.Cell) -> [UInt8]? {
        var (payload, missing, next) = (cell.payload, cell.missing, cell.overflow)
        while missing > 0 {
            guard 1...max(1, pages.count) ~= next, overflowsLeft > 0 else { return nil }
            overflowsLeft -= 1
            var reader = ByteReader(pages[next][...])
            guard let following = reader.number(4),
                let part = reader.take(min(missing, Pages.size - 4))
            else { return nil }
            payload += part
            (missing, next) = (missing - part.count, following)
        }
        return next == 0 ? payload : nil
    }
}
