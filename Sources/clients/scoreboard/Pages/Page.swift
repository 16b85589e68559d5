import Protocol
import Terminal

/// What fills the screen, but for the line at the bottom.
protocol Page: AnyObject {
    /// Less than that is too small for it.
    var minimum: Size { get }
    /// What to show instead where it is too small; may be empty.
    var summary: String { get }
    /// What the line at the bottom offers.
    var hints: [Hint] { get }
    /// A question that the line at the bottom asks instead.
    var question: String? { get }

    func draw(on picture: inout Picture, in area: Area)
    func press(_ key: Key)
    func touch(_ touch: Touch)
}

extension Page {
    var summary: String { "" }
    var question: String? { nil }
    func touch(_ touch: Touch) {}
}

/// Where a page leads.
enum Step: Equatable {
    case open(Address)
    case games
    case create
    case help
    case back
    case quit
    /// This page's game has ended.
    case gone
    /// The first that this page asked of the daemon was refused.
    case refused(WireError)
}

/// What a page is shown on.
protocol Stage: AnyObject {
    /// Something looks different now.
    func changed()
    /// Tells the person something, until the next key.
    func say(_ notice: String)
    func go(_ step: Step)
}
