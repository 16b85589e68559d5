package import BusdTerminal

/// The meaning of a click.
package enum Touch: Equatable {
    /// The same as this key.
    case key(Key)
    /// A row of a list, by the id of its content.
    case row(String)
    /// A field of a page, by its number on the page.
    case field(Int)
}

/// A frame, and the meaning of a click on each part of it.
package struct Picture {
    package var frame: Frame
    private var targets: [(area: Area, touch: Touch)] = []

    package init(_ size: Size) { frame = Frame(size) }

    package var area: Area { frame.area }

    package mutating func react(to touch: Touch, in area: Area) { targets.append((area, touch)) }

    package func touch(at point: Point) -> Touch? {
        targets.last { $0.area.contains(point) }?.touch
    }
}
