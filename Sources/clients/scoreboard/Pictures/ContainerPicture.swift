import BusdGamesEvents
import BusdProtocol
import BusdTerminal

/// The container view: from top to bottom the clock, the names, the score.
struct ContainerPicture {
    let state: ContainerState

    static let minimum = Size(columns: 20, rows: 2)

    func draw(on frame: inout Frame, in area: Area) {
        let layout = ContainerLayout(state, area)
        if let clock = layout.clock {
            let columns = clock.digits.columns(of: state.time)
            let place = clock.area.centered(Size(columns: columns, rows: clock.digits.rows))
            clock.digits.draw(
                state.time, on: &frame, at: Point(column: place.column, row: place.row), clockStyle)
        }
        drawNames(on: &frame, layout)
        if layout.digits == nil {
            frame.write(timeAndStatus, in: layout.score, .center, statusStyle)
        }
        for side in Side.allCases { drawScore(side, on: &frame, layout) }
    }

    // MARK: Names

    private func drawNames(on frame: inout Frame, _ layout: ContainerLayout) {
        let shown = middle(layout).fitted(to: layout.names.columns / 2)
        frame.write(shown, in: layout.names, .center, middleStyle(layout))
        for side in Side.allCases {
            let half = layout.half(side, of: layout.names, without: shown.columns + 2)
            let room = half.inset(columns: Self.margin(in: half.columns))
            frame.write(state.name(side), in: room, .center, Style(side.color, bold: true))
        }
    }

    /// The margin between a long name and the text in the middle.
    private static func margin(in columns: Int) -> Int { columns >= 30 ? 2 : columns >= 12 ? 1 : 0 }

    /// The text between the names: the score, if it is plain text; else the status, with the time
    /// if there is no large clock.
    private func middle(_ layout: ContainerLayout) -> String {
        if layout.digits == nil { return state.score }
        return layout.clock == nil ? timeAndStatus : state.status
    }

    private func middleStyle(_ layout: ContainerLayout) -> Style {
        layout.digits == nil ? .bold : statusStyle
    }

    private var timeAndStatus: String { "\(state.time) \(state.status)" }

    private var clockStyle: Style { state.isPaused ? .dim : .plain }

    private var statusStyle: Style {
        if state.isFinished { return Style(.good, bold: true) }
        return state.isPaused ? Style(.notice) : Style(.good)
    }

    // MARK: Score

    private func drawScore(_ side: Side, on frame: inout Frame, _ layout: ContainerLayout) {
        guard let digits = layout.digits else { return }
        let text = "\(state.points(side))"
        let size = Size(columns: digits.columns(of: text), rows: digits.rows)
        let place = layout.half(side, of: layout.score, without: 0).centered(size)
        digits.draw(
            text, on: &frame, at: Point(column: place.column, row: place.row), scoreStyle(side))
    }

    private func scoreStyle(_ side: Side) -> Style {
        let hasLost = state.winner == side.other
        return Style(side.color, bold: !hasLost, dim: hasLost)
    }
}

extension Side {
    var color: Style.Color { self == .home ? .primary : .secondary }
}
