public import BusdProtocol

/// What a list shows of a book.
public struct BookSummary: Hashable, Sendable {
    public var id: BookID
    public var name: Name
    public var progress: Progress

    public init(id: BookID, name: Name, progress: Progress) {
        self.id = id
        self.name = name
        self.progress = progress
    }

    public init(_ book: Book, id: BookID) {
        self.init(id: id, name: book.name, progress: book.progress)
    }
}
