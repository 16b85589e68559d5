package import BusdTerminal

/// What fills the screen, but for the line at the bottom.
package protocol Page: AnyObject {
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
    package var summary: String { "" }
    package var question: String? { nil }
    package func touch(_ touch: Touch) {}
}

/// What a page is shown on.
package protocol Stage<Destination>: AnyObject {
    /// Where the pages of a program lead.
    associatedtype Destination

    /// Something looks different now.
    func changed()
    /// Tells the person something, until the next key.
    func say(_ notice: String)
    func go(_ destination: Destination)
}

/// Knows a program's pages, and which of them a destination means.
package protocol Guide<Destination>: AnyObject {
    associatedtype Destination

    func firstPage(on stage: any Stage<Destination>) -> any Page
    func go(_ destination: Destination, on interface: Interface<Destination>)
    /// How the program ends when the person leaves it just now.
    var outcome: Outcome { get }
}

extension Guide {
    package var outcome: Outcome { .done }
}
