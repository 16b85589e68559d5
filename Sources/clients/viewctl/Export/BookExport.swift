import BusdClient
import BusdOptions
import BusdProtocol
import BusdScreens
import Glibc

/// A book as text for Anki.
struct BookExport {
    private let cards: Address
    private let study: Address
    private var book: String { cards.name }

    /// Nil unless the address is that of the study or of the cards of a book.
    init?(of address: Address) {
        let folders = [Study.name, Cards.name]
        guard address.segments.count == 2, let folder = address.segments.first,
            folders.contains(where: { $0.isExactly(String(folder)) }),
            let cards = Address.literal("cards").appending(address.name),
            let study = Address.literal("study").appending(address.name)
        else { return nil }
        (self.cards, self.study) = (cards, study)
    }

    func run(_ session: Session, _ console: Console) throws {
        let read = try session.values(of: [cards, study, .books])
        guard let values = read[0] else {
            guard read[1] == nil else { throw RequestFailure.hidden }
            let isDeleted = read[2].map(isListed) ?? false
            throw Outcome(
                .refused,
                isDeleted
                    ? "book \(book.printable) is deleted: in books, u takes it back"
                    : "there is no book \(book.printable)")
        }
        let text = Self.text(values.events)
        console.put(isatty(console.output) == 1 ? text.printableLines : text)
    }

    /// Whether the list of books has this book.
    private func isListed(_ list: PresentValues) -> Bool {
        list.events(Books.ViewModelEvent.self).contains { event in
            guard case .books(let rows) = event else { return false }
            return rows.contains { $0.id.isExactly(book) }
        }
    }

    private static func text(_ events: [JSONValue]) -> String {
        let name = events.compactMap { $0["name"]?["text"]?.text }.first ?? ""
        let cards = events.compactMap { $0["cards"]?["cards"] }.first.map(Card.list) ?? []
        return DeckText(name: name, cards: cards).text
    }
}

extension Card {
    /// The cards of a list in an answer.
    static func list(_ list: JSONValue) -> [Card] {
        list.elements.compactMap { json in
            guard let front = json["front"]?.text, let back = json["back"]?.text else { return nil }
            return Card(front: front, back: back)
        }
    }
}
