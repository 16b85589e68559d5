import BusdGamesEvents
import BusdProtocol
import BusdTerminal

/// The layout of the content view: the teams' tables side by side, or one below the other in a
/// narrow area, and the moves below if there is room.
struct ContentLayout {
    private let whole: Area
    private let isStacked: Bool
    /// Columns that a table needs. In a wider half it is in the middle, so that the counts stay
    /// near the names.
    private let needed: Int
    /// The distance between the rows of two players.
    private let step: Int
    let moves: Area?

    private static let roomy = 60
    /// Rows or columns between the tables.
    private static let gap = (stacked: 1, narrow: 2, roomy: 6)

    /// - Parameter size: the rows of each table below its head.
    init(_ area: Area, rows size: Int, needed: Int = .max) {
        self.needed = needed
        let inner = area.inset(columns: area.columns >= Self.roomy ? 2 : 0)
        let isStacked =
            area.columns < Self.roomy && area.rows >= Self.rows(size, isStacked: true, step: 1)
        let isLoose = area.rows >= Self.rows(size, isStacked: isStacked, step: 2) + 5
        let step = isLoose ? 2 : 1
        let rows = Self.rows(size, isStacked: isStacked, step: step)
        let gap = isLoose ? 3 : 1
        let hasMoves = area.rows >= rows + gap + 1
        let used = rows + (hasMoves ? gap + 1 : 0)
        let placed = inner.split(rows: (area.rows - used) / 2).bottom
        whole = placed.split(rows: rows).top
        moves = hasMoves ? placed.split(rows: rows + gap).bottom.split(rows: 1).top : nil
        self.isStacked = isStacked
        self.step = step
    }

    private static func rows(_ size: Int, isStacked: Bool, step: Int) -> Int {
        let table = 1 + size * step
        return isStacked ? 2 * table + gap.stacked : table
    }

    func table(_ side: Side) -> Area {
        let half = half(side)
        let columns = min(half.columns, needed)
        return half.split(columns: (half.columns - columns) / 2).right.split(columns: columns).left
    }

    private func half(_ side: Side) -> Area {
        if isStacked {
            let rows = (whole.rows - Self.gap.stacked) / 2
            return side == .home
                ? whole.split(rows: rows).top : whole.split(rows: whole.rows - rows).bottom
        }
        let gap = whole.columns < Self.roomy - 4 ? Self.gap.narrow : Self.gap.roomy
        let columns = (whole.columns - gap) / 2
        return side == .home
            ? whole.split(columns: columns).left
            : whole.split(columns: whole.columns - columns).right
    }

    func head(_ side: Side) -> Area { table(side).split(rows: 1).top }

    func row(_ player: PlayerChoice) -> Area {
        table(player.side).split(rows: step * (player.index + 1)).bottom.split(rows: 1).top
    }
}
