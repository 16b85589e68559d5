package import BusdTerminal

/// Fills the screen, except the status line at the bottom.
package protocol Page: AnyObject {
    /// The smallest area that the page can be drawn in.
    var minimum: Size { get }
    /// Shown instead if the area is smaller than `minimum`. May be empty.
    var summary: String { get }
    /// The keys that the status line shows.
    var hints: [Hint] { get }
    /// A question that the status line shows instead of the hints.
    var question: String? { get }
    /// What a key has just done. The status line shows it instead of the hints.
    var echo: String? { get }

    func draw(on picture: inout Picture, in area: Area)
    func press(_ key: Key)
    func touch(_ touch: Touch)
}

extension Page {
    package var summary: String { "" }
    package var question: String? { nil }
    package var echo: String? { nil }
    package func touch(_ touch: Touch) {}
}

/// The screen of a page.
package protocol PageHost<Destination>: AnyObject {
    /// The steps from one page to another.
    associatedtype Destination

    /// The page must be drawn again.
    func changed()
    /// Shows a notice, until the next key.
    func showNotice(_ notice: String)
    func go(_ destination: Destination)
}

/// Creates a program's pages, and shows the page of a destination.
package protocol Router<Destination>: AnyObject {
    associatedtype Destination

    func firstPage(on host: any PageHost<Destination>) -> any Page
    func go(_ destination: Destination, on interface: Interface<Destination>)
    /// How the program ends if the user leaves it now.
    var outcome: Outcome { get }
}

extension Router {
    package var outcome: Outcome { .done }
}
