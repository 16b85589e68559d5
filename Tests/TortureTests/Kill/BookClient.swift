import BusdProtocol
import TestSupport
import Testing

/// The only client that changes books. It knows their exact state, except for the effect of one
/// request without an answer.
final class BookClient {
    private var random: SeededGenerator
    private var count = 0
    private var shelf = ReferenceShelf()
    private var unanswered: (step: ReferenceShelf.Step, key: String)?
    private var isRetry = false
    private(set) var acknowledged = 0
    /// Each id that was ever reported, and the name of its book.
    private var owners: [String: String] = [:]

    init(_ random: SeededGenerator) { self.random = random }

    var isIdle: Bool { unanswered == nil }

    /// - Parameter id: looks up a book by its name.
    func next(_ id: (String) throws -> String?) throws -> String {
        isRetry = unanswered != nil
        if unanswered == nil { unanswered = (chooseStep(), "librarian-\(count)") }
        let (step, key) = try #require(unanswered)
        return try shelf.request(step, key: key, id)
    }

    private func chooseStep() -> ReferenceShelf.Step {
        count += 1
        let names = shelf.names
        // After ten minutes it would be deleted for good.
        if let name = shelf.deleted, random.once(in: 3) { return .restore(name) }
        guard let name = names.randomElement(using: &random), !random.once(in: 12) else {
            return .create("Book \(count)", cards: random.number(1...30))
        }
        switch random.number(1...12) {
        case 1: return shelf.deleted == nil ? .delete(name) : .add(name, cards: 1)
        case 2...3: return .add(name, cards: random.number(1...9))
        case 4...6: return .move(name, to: random.number(0...(shelf.count - 1)))
        default: return .answer(name, isKnown: !random.once(in: 3))
        }
    }

    func received(_ answer: Answer) {
        guard let (step, key) = unanswered, case .done(_, let isDuplicate) = answer else {
            Issue.record("librarian: \(answer)")
            return
        }
        #expect(!isDuplicate || isRetry, "\(key): a first send is no duplicate")
        unanswered = nil
        acknowledged += 1
        shelf.take(step)
    }

    /// After a kill: the books are as acknowledged, or one request further.
    func check(_ shown: Shelf) {
        for (id, book) in zip(shown.ids, shown.books) {
            #expect(owners[id] ?? book.name == book.name, "id \(id) is used again")
            owners[id] = book.name
        }
        var known = [shelf.shown]
        if let (step, _) = unanswered {
            var further = shelf
            further.take(step)
            known.append(further.shown)
        }
        #expect(known.contains(shown.books), "\(String(describing: unanswered))")
    }
}
