import BusdGamesEvents
import BusdProtocol
import BusdTerminal

/// The layout of the container view. The score gets all the room that the other parts do not need.
struct ContainerLayout {
    struct Clock {
        let digits: BlockDigits
        let area: Area
    }

    /// The clock in large digits; nil: the clock is plain text.
    let clock: Clock?
    /// One row.
    let names: Area
    let score: Area
    /// Nil: the score is plain text between the names, and the clock is in the place of the digits.
    let digits: BlockDigits?

    init(_ state: ContainerState, _ area: Area) {
        let clock = Self.clockDigits(state.time, in: area.size)
        let clockRows = clock?.rows ?? 0
        let margin = area.rows >= 15 ? 2 : area.rows >= 9 ? 1 : 0
        let half = Size(columns: area.columns / 2 - 2, rows: area.rows - clockRows - 1 - margin)
        digits = .largest(for: Self.widest(state), in: half)
        let scoreRows = digits?.rows ?? 1

        // Spare rows become, in this order: a gap between score and names, a margin at the top, a
        // gap between names and clock.
        var spare = max(0, area.rows - clockRows - 1 - scoreRows)
        func gap(_ isWanted: Bool = true) -> Int {
            let gap = isWanted ? min(1, spare) : 0
            spare -= gap
            return gap
        }
        let aboveScore = gap(digits != nil)
        let aboveAll = gap()
        let aboveNames = gap(clock != nil)

        let top = area.split(rows: aboveAll + spare / 2).bottom.split(rows: clockRows)
        self.clock = clock.map { Clock(digits: $0, area: top.top) }
        let middle = top.bottom.split(rows: aboveNames).bottom.split(rows: 1)
        names = middle.top
        score = middle.bottom.split(rows: aboveScore).bottom.split(rows: scoreRows).top
    }

    /// The half of a side, without its part of the text in the middle.
    func half(_ side: Side, of area: Area, without middle: Int) -> Area {
        let columns = area.columns / 2
        let lost = min(columns, (middle + 1) / 2)
        return switch side {
        case .home: area.split(columns: columns - lost).left
        case .away: area.split(columns: area.columns - columns + lost).right
        }
    }

    private static func clockDigits(_ time: String, in size: Size) -> BlockDigits? {
        guard size.rows >= 9, time.utf8.count <= size.columns else { return nil }
        let room = Size(columns: size.columns - 4, rows: max(3, size.rows / 6))
        return .largest(for: steady(time), in: room)
    }

    /// At least two digits, so that the size of the score does not change from 9 to 10.
    private static func widest(_ state: ContainerState) -> String {
        let digits = max(state.homeScore, state.awayScore, 10)
        return steady("\(digits)")
    }

    private static func steady(_ text: String) -> String {
        String(text.map { $0.isWholeNumber ? "0" : $0 })
    }
}
