/// The expected state of the books, for one client that takes one step after the other.
struct ReferenceShelf {
    enum Step {
        case create(String, cards: Int)
        case add(String, cards: Int)
        case move(String, to: Int)
        case delete(String)
        /// Takes a deletion back.
        case restore(String)
        case answer(String, isKnown: Bool)
    }

    private struct Book {
        let name: String
        var isKnown: [Bool]
        /// The index of the card that is asked, from 0; `nil` if all are known.
        var asked: Int?
        var isDeleted = false

        /// Asks the next card that is not known, from `place` on and then from the start.
        mutating func ask(from place: Int) {
            let places = isKnown.indices.filter { !isKnown[$0] }
            asked = places.first { $0 >= place } ?? places.first
        }

        var shown: Shelf.Book {
            let known = isKnown.count { $0 }
            let asked = isDeleted ? nil : asked
            return Shelf.Book(
                name: name, cards: isKnown.count, known: known * 100 / max(1, isKnown.count),
                asked: asked.map { $0 + 1 }, front: asked.map { "\($0 + 1) of \(name)" },
                isDeleted: isDeleted)
        }
    }

    private var books: [Book] = []

    var shown: [Shelf.Book] { books.map(\.shown) }
    /// Of the books that are not deleted.
    var names: [String] { books.filter { !$0.isDeleted }.map(\.name) }
    var count: Int { books.count }
    /// The name of a book that is marked as deleted.
    var deleted: String? { books.first { $0.isDeleted }?.name }

    mutating func take(_ step: Step) {
        switch step {
        case .create(let name, let cards):
            books.append(Book(name: name, isKnown: []))
            take(.add(name, cards: cards))
        case .add(let name, let cards):
            change(name) { book in
                book.isKnown += Array(repeating: false, count: cards)
                book.ask(from: book.asked ?? 0)
            }
        case .move(let name, let place):
            guard let from = books.firstIndex(where: { $0.name == name }),
                books.indices.contains(place)
            else { return }
            books.insert(books.remove(at: from), at: place)
        case .delete(let name): change(name) { $0.isDeleted = true }
        case .restore(let name): change(name) { $0.isDeleted = false }
        case .answer(let name, let isKnown):
            change(name) { book in
                guard let asked = book.asked else { return }
                if isKnown { book.isKnown[asked] = true }
                book.ask(from: asked + 1)
            }
        }
    }

    private mutating func change(_ name: String, _ body: (inout Book) -> Void) {
        for index in books.indices where books[index].name == name { body(&books[index]) }
    }

    /// The request for a step. A book is found by its name.
    func request(
        _ step: Step, key: String, _ id: (String) throws -> String?
    ) rethrows -> String {
        switch step {
        case .create(let name, let cards):
            let cards = Self.cards(1...cards, of: name)
            return Line.send(
                #"{"importBook":{"name":"\#(name)","cards":[\#(cards)]}}"#, to: "books", key: key)
        case .add(let name, let count):
            let first = (books.first { $0.name == name }?.isKnown.count ?? 0) + 1
            let cards = Self.cards(first...(first + count - 1), of: name)
            let book = try id(name) ?? "0"
            return Line.send(
                #"{"addCards":{"book":"\#(book)","cards":[\#(cards)]}}"#, to: "books", key: key)
        case .move(let name, let place):
            let book = try id(name) ?? "0"
            return Line.send(
                #"{"moveBook":{"book":"\#(book)","to":\#(place)}}"#, to: "books", key: key)
        case .delete(let name):
            let book = try id(name) ?? "0"
            return Line.send(#"{"deleteBook":{"book":"\#(book)"}}"#, to: "books", key: key)
        case .restore(let name):
            let book = try id(name) ?? "0"
            return Line.send(#"{"restoreBook":{"book":"\#(book)"}}"#, to: "books", key: key)
        case .answer(let name, let isKnown):
            // A card must be revealed before its answer counts. `reveal` has no id, so it gets no
            // answer of its own.
            let study = "study/\(try id(name) ?? "0")"
            let answer = Line.send(isKnown ? "\"known\"" : "\"unknown\"", to: study, key: key)
            return #"{"op":"send","to":"\#(study)","event":"reveal"}"# + "\n" + answer
        }
    }

    private static func cards(_ numbers: ClosedRange<Int>, of name: String) -> String {
        numbers.map { #"{"front":"\#($0) of \#(name)","back":"\#($0)"}"# }.joined(separator: ",")
    }
}
