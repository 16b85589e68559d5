import BusdClient
import BusdOptions
import BusdProtocol
import Glibc

/// `viewctl export ADDRESS`
struct Export: Question {
    static let name = "export"
    static let verb = Verb(
        name, "print the cards of a book as text for Anki; ADDRESS is its study, such as study/3",
        operands: [Operand("ADDRESS")],
        details: """
            One card per line: front, tab, back.
            'viewctl import' reads the text back exactly as it was, whatever is in the cards.
            """)

    let request: BusRequest
    private let book: String

    init(_ arguments: Arguments) throws(UsageError) {
        let address = try arguments.address(arguments.operands[0])
        let folders = [Study.name, Cards.name]
        guard address.segments.count == 2, let folder = address.segments.first,
            folders.contains(where: { $0.isExactly(String(folder)) }),
            let cards = Address.literal("cards").appending(address.name)
        else { throw arguments.error("export needs the study of a book, such as study/3") }
        request = .get(cards)
        book = address.name
    }

    func show(_ answer: Answer, _ form: Form, _ console: Console) {
        let events = answer.value["events"].map { Array($0.elements) } ?? []
        let name = events.compactMap { $0["name"]?["text"]?.text }.first ?? ""
        let cards = events.compactMap { $0["cards"]?["cards"] }.first.map(Card.list) ?? []
        let text = DeckText(name: name, cards: cards).text
        console.put(isatty(console.output) == 1 ? text.printableLines : text)
    }

    func explain(_ error: WireError) -> String {
        error.code == .unknownViewModel
            ? "viewctl: there is no book \(book.printable)" : refusal(error)
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
