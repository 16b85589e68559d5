package import BusdTerminal

/// What a click means.
package enum Touch: Equatable {
    /// As if that key had been pressed.
    case key(Key)
    /// A row of a list, by the id of what it shows.
    case row(String)
    /// One of the fields of a page, by its number there.
    case field(Int)
}

/// A frame, and what a click on its parts means.
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
