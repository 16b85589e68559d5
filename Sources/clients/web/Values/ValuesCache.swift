import BusdClient
import BusdHTTP
import BusdProtocol

/// Makes the pages of view models. A long page is made once for a change, however often it is
/// loaded.
///
/// Before busd-web sends such a page again, busd says whether the view model has had an event: that
/// takes microseconds, and to read and render a list of 9,000 rows takes milliseconds.
final class ValuesCache {
    private struct Page {
        /// The number of the newest event that it shows.
        let seq: Int
        let response: HTTPResponse
    }

    /// In bytes. A shorter page is made sooner than the question is answered.
    private static let shortest = 16_384
    /// Bytes of all pages that are kept.
    private static let room = 8 << 20

    private let reader: BusReader
    private let menu: [MenuLink]
    private var kept: [Address: Page] = [:]
    private var size = 0

    /// - Parameter menu: the links of each page.
    init(_ reader: BusReader, menu: [MenuLink]) {
        (self.reader, self.menu) = (reader, menu)
        reader.connection.listen(self) { cache, event in
            // After a restart of busd the events have new numbers.
            if case .lost = event { cache.forget() }
        }
    }

    func page(of address: Address, _ done: @escaping (PageAnswer) -> Void) {
        guard let page = kept[address] else { return make(address, done) }
        reader.ask(.list(Pattern(address))) { [self] answer in
            let found = (try? answer.get())?["viewModels"]?.elements.first { _ in true }
            if let seq = found?["seq"]?.integer, seq == page.seq {
                done(.success(page.response))
            } else {
                make(address, done)
            }
        }
    }

    private func make(_ address: Address, _ done: @escaping (PageAnswer) -> Void) {
        reader.ask(.get(address)) { [self] answer in
            done(
                answer.map { value in
                    let events = value["events"].map { Array($0.elements) } ?? []
                    let response = HTTPResponse.page(
                        ValuesPage(address, events, menu: menu), at: "/view/\(address)")
                    if let cursor = value["cursor"]?.text.flatMap(Cursor.init) {
                        keep(Page(seq: cursor.seq, response: response), of: address)
                    }
                    return response
                })
        }
    }

    private func keep(_ page: Page, of address: Address) {
        size -= kept.removeValue(forKey: address)?.response.size ?? 0
        guard page.response.size >= Self.shortest else { return }
        if size + page.response.size > Self.room { forget() }
        kept[address] = page
        size += page.response.size
    }

    private func forget() { (kept, size) = ([:], 0) }
}
