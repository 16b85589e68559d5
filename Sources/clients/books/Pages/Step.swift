import BusdProtocol

/// Where a page leads.
enum Step: Equatable {
    /// Through the cards of a book.
    case study(Address)
    case create
    case help
    case back
    case quit
    /// The book was added.
    case added(Books.Row.ID)
    /// This page's book has been deleted.
    case gone
    /// The first that this page asked of the daemon was refused.
    case refused(WireError)
}
