import BusdProtocol
import BusdTerminal

/// What stands where in the container view. The score gets all the room that the others can spare.
struct ContainerLayout {
    struct Clock {
        let digits: BlockDigits
        let area: Area
    }

    /// The clock in large digits; nil where it stands between the names.
    let clock: Clock?
    /// One row.
    let names: Area
    let score: Area
    /// Nil: the score is plain text between the names, and below it, in place of the digits, is the
    /// clock.
    let digits: BlockDigits?

    init(_ state: ContainerState, _ area: Area) {
        let clock = Self.clockDigits(state.time, in: area.size)
        let clockRows = clock?.rows ?? 0
        let margin = area.rows >= 15 ? 2 : area.rows >= 9 ? 1 : 0
        let half = Size(columns: area.columns / 2 - 2, rows: area.rows - clockRows - 1 - margin)
        digits = .largest(for: Self.widest(state), in: half)
        let scoreRows = digits?.rows ?? 1

        // What is left parts the score from the names, is a margin, parts the names from the clock.
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

    /// The half of a side, less its part of what stands in the middle.
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

    /// The score does not change its size from 9 to 10.
    private static func widest(_ state: ContainerState) -> String {
        let digits = max(state.homeScore, state.awayScore, 10)
        return steady("\(digits)")
    }

    private static func steady(_ text: String) -> String {
        String(text.map { $0.isWholeNumber ? "0" : $0 })
    }
}
