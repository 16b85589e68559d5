import BusdBooksEvents
import BusdProtocol

/// A step from one page to another.
enum Step: Equatable {
    /// Study the cards of a book.
    case study(Address)
    /// The cards of a book; `at` is the place of the card to choose, from 0.
    case cards(Books.Row.ID, at: Int)
    case edit(CardToEdit)
    case rename(Books.Row)
    case create
    case help
    case back
    case quit
    /// The book was added.
    case added(Books.Row.ID)
    /// This page's book has been deleted.
    case gone
    /// The first request of this page was refused.
    case refused(WireError)
}
