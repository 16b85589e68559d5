/// The progress of each book, and of all of them together without counting them anew.
struct LibraryProgress {
    private(set) var total = Progress()
    private var books: [BookID: Progress] = [:]

    subscript(id: BookID) -> Progress? {
        get { books[id] }
        set {
            let old = books[id] ?? Progress()
            let new = newValue ?? Progress()
            total.known += new.known - old.known
            total.cards += new.cards - old.cards
            books[id] = newValue
        }
    }
}
