import Terminal

/// What a click means.
enum Touch: Equatable {
    /// As if that key had been pressed.
    case key(Key)
    case player(PlayerChoice)
    /// A row of a list, by the id of what it shows.
    case row(String)
    case field(Int)
}

/// A frame, and what a click on its parts means.
struct Picture {
    var frame: Frame
    private var targets: [(area: Area, touch: Touch)] = []

    init(_ size: Size) { frame = Frame(size) }

    var area: Area { frame.area }

    mutating func react(to touch: Touch, in area: Area) { targets.append((area, touch)) }

    func touch(at point: Point) -> Touch? {
        targets.last { $0.area.contains(point) }?.touch
    }
}
