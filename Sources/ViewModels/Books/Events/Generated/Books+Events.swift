// Generated from Books.swift by scripts/event-code.sh.
// To change it, change that file and run the script.

public import BusdProtocol

extension Books.ViewModelEvent {
    public var name: String {
        switch self {
        case .currentProgress: "currentProgress"
        case .books: "books"
        case .booksEdited: "booksEdited"
        }
    }

    public func writePlainly(to out: inout JSONWriter) -> Bool {
        out.plainEvent(name) { out in
            switch self {
            case .currentProgress(let text, let known, let cards):
                out.member("text", text) && out.member("known", known) && out.member("cards", cards)
            case .books(let books): out.member("books", books)
            case .booksEdited(let edits): out.member("edits", edits)
            }
        }
    }
}
