import BusdBooksEvents
import BusdClient
import BusdDeck
import BusdOptions
import BusdProtocol
import BusdScreens
import Glibc

/// `books export BOOK`
struct Export: Command {
    static let name = "export"
    static let verb = Verb(
        name, "print a book as text for Anki; BOOK is its number or address",
        options: [CommandSettings.answerTimeout], operands: [Operand("BOOK")])

    private let cards: Address
    private let study: Address
    private var book: String { cards.name }

    /// The book can be named by the address of its cards, too.
    init(_ arguments: Arguments) throws(UsageError) {
        let (folder, text) = (Address.literal("cards"), arguments.operands[0])
        if let address = Address(text), address.isBelow(folder), address.segments.count == 2 {
            cards = address
            study = Address.literal("study").appending(address.name) ?? address
        } else {
            study = try arguments.address(
                text, in: .literal("study"), of: "a book", suchAs: 3)
            cards = folder.appending(study.name) ?? study
        }
    }

    func run(_ settings: CommandSettings, _ console: Console) throws -> ExitStatus {
        let session = try settings.session(else: .perAnswer(.seconds(30)))
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
        return .done
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
