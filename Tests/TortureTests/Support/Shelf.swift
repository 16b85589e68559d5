import BusdProtocol
import Testing

/// All books as the bus shows them. Nothing may change while they are read.
struct Shelf: Equatable {
    struct Book: Equatable {
        var name: String
        var cards: Int
        /// Whole percent of its cards.
        var known: Int
        /// The number of the card that is asked, from 1; `nil` if all are known.
        var asked: Int?
        var front: String?
        /// It has no study, and does not count for the sum.
        var isDeleted = false
    }

    private(set) var ids: [String] = []
    /// In the order of the list.
    private(set) var books: [Book] = []

    init() {}

    /// Also checks that the list and the studies agree.
    init(_ client: Client) throws {
        let list = try client.value(#"{"op":"get","to":"books"}"#)
        var sum: Int?
        try Library.forEachEvent(in: list) { name, payload in
            if name == "currentProgress" { sum = payload["cards"]?.integer }
            guard let rows = payload["books"]?.elements else { return }
            for row in rows {
                ids.append(row["id"]?.text ?? "")
                books.append(Book(row))
            }
        }
        for index in books.indices where !books[index].isDeleted { try study(index, client) }
        #expect(sum == books.map { $0.isDeleted ? 0 : $0.cards }.reduce(0, +))
    }

    private mutating func study(_ index: Int, _ client: Client) throws {
        let study = try client.value(#"{"op":"get","to":"study/\#(ids[index])"}"#)
        var book = books[index]
        try Library.forEachEvent(in: study) { name, payload in
            switch name {
            case "card":
                book.front = payload["front"]?.text
                book.asked = payload["position"]?.integer
                #expect(payload["of"]?.integer == book.cards, "book \(ids[index])")
            case "progress": #expect(payload["text"]?.text == "\(book.known)% KNOWN")
            case "done": #expect(payload["isDone"]?.boolean == (book.asked == nil))
            case "undoable": break
            default: Issue.record("a study tells \(name)")
            }
        }
        books[index] = book
    }

    /// `nil` if there is no book of this name.
    static func id(of name: String, _ client: Client) throws -> String? {
        let list = try client.value(#"{"op":"get","to":"books"}"#)
        var id: String?
        try Library.forEachEvent(in: list) { _, payload in
            let row = payload["books"]?.elements.first { $0["name"]?.text == name }
            id = row?["id"]?.text ?? id
        }
        return id
    }
}

extension Shelf.Book {
    fileprivate init(_ row: JSONValue) {
        name = row["name"]?.text ?? ""
        cards = row["cardCount"]?.text.flatMap { Int($0) } ?? -1
        known = row["progress"]?.text.flatMap { Int($0.dropLast()) } ?? -1
        isDeleted = row["isDeleted"]?.boolean ?? false
    }
}
