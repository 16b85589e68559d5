public import BusdProtocol

/// Who hears of a change in the library of books, and in which order: those who follow that book,
/// then whoever shows the library.
///
/// A change that is made while another is being told waits its turn: all hear all changes in one
/// order.
public final class BooksFeed {
    public let library: Signal<BooksChange>
    private let tellLibrary: Signal<BooksChange>.Observer
    private var followers: [BookID: Signal<Book?>.Pipe] = [:]
    private var queue = SerialQueue<BooksChange>()

    public init() { (library, tellLibrary) = Signal.pipe() }

    /// Tells the book after each change, and `nil` when it is gone.
    public func follow(_ id: BookID) -> Signal<Book?> {
        let known = followers[id] ?? Signal.pipe()
        followers[id] = known
        return known.output
    }

    /// Somebody who followed the book is gone.
    public func left(_ id: BookID) {
        if followers[id]?.output.isHeard == false { followers[id] = nil }
    }

    /// For the service alone, after each change.
    public func tell(_ change: BooksChange) {
        guard queue.begin(change) != nil else { return }
        tellAll(change)
        while !queue.end() { tellAll(queue.next().value) }
    }

    /// For the service alone: what is returned tells the book to those alone who begin to follow it
    /// while `make` runs. Others know more of it already.
    package func newcomers(to id: BookID, _ make: () -> Void) -> (Book) -> Void {
        _ = follow(id)
        let newcomers = followers[id]?.input.apart(make)
        left(id)
        return { newcomers?.send(value: $0) }
    }

    private func tellAll(_ change: BooksChange) {
        tellFollowers(change)
        tellLibrary.send(value: change)
    }

    private func tellFollowers(_ change: BooksChange) {
        switch change {
        case .created, .restored, .moved, .reordered: break
        case .changed(let id, let book): followers[id]?.input.send(value: book)
        case .deleted(let id), .withdrawn(let id):
            followers.removeValue(forKey: id)?.input.send(value: nil)
        }
    }
}
