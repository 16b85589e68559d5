import BusdGamesEvents
import BusdProtocol
import BusdScreens
import BusdTerminal

/// The list of plays, with the newest at the bottom.
struct PlaysPicture {
    let state: PlaysState
    let names: ContentState

    static let minimum = Size(columns: 36, rows: 4)
    /// The title, and an empty row.
    private static let head = 2

    /// The number of plays that an area shows at once.
    static func page(in area: Area) -> Int { area.rows - head - foot(in: area) }

    /// If there is room: an empty row, and the letters of each team's players.
    private static func foot(in area: Area) -> Int { area.rows >= 10 ? 3 : 0 }

    func draw(on picture: inout Picture, in area: Area) {
        let inner = area.inset(columns: area.columns >= 60 ? 2 : 0)
        let (title, rest) = inner.split(columns: 2).right.split(columns: 7)
        picture.frame.write("Plays", in: title, .left, .bold)
        state.search.draw(on: &picture.frame, in: rest.split(rows: 1).top)
        let body = inner.split(rows: Self.head).bottom.split(rows: Self.page(in: area)).top
        let list = state.found
        if list.rows.isEmpty {
            return picture.frame.write(empty, in: body, row: body.rows / 3, .center, .dim)
        }
        let first = list.firstShown(of: body.rows)
        let columns = PlayColumns(last: state.all.rows.count, width: body.columns)
        for (offset, row) in list.rows[first...].prefix(body.rows).enumerated() {
            let line = body.split(rows: offset).bottom.split(rows: 1).top
            columns.draw(row, state.numbers[first + offset], names, on: &picture.frame, in: line)
            if row.id == list.chosen { picture.frame.markChosen(line) }
            picture.react(to: .row(row.id), in: line)
        }
        if Self.foot(in: area) > 0 { drawPlayers(on: &picture, in: inner) }
    }

    private func drawPlayers(on picture: inout Picture, in area: Area) {
        let rows = area.split(rows: area.rows - 2).bottom.split(columns: 2).right
        for (row, side) in Side.allCases.enumerated() {
            let line = rows.split(rows: row).bottom
            Hint.draw(PlaysHints.players(side, names), on: &picture, in: line)
        }
    }

    private var empty: String {
        if !state.all.isKnown { return "Waiting for the plays…" }
        return state.search.isEmpty ? "No plays yet." : "No play has this text."
    }
}

/// The newest plays, below each other.
struct LastPlaysPicture {
    let plays: PlaysList
    let names: ContentState

    static let columns = 56

    func draw(on frame: inout Frame, in area: Area) {
        let body = area.split(rows: 1).bottom
        frame.write("Plays", in: area.split(columns: 2).right, .left, .dim)
        let first = max(0, plays.rows.count - body.rows)
        let columns = PlayColumns(last: plays.rows.count, width: body.columns)
        for (offset, row) in plays.rows[first...].enumerated() {
            let line = body.split(rows: offset).bottom.split(rows: 1).top
            columns.draw(row, first + offset + 1, names, on: &frame, in: line)
        }
    }
}

/// The columns of a play: number, time, player, team, move.
struct PlayColumns {
    private let numberWidth: Int
    private let nameWidth: Int
    private static let mark = 2
    private static let gap = 2
    private static let time = 7
    private static let move = 9

    /// - Parameter last: the highest number.
    init(last: Int, width: Int) {
        numberWidth = max(2, "\(last)".columns)
        let rest = width - Self.mark - numberWidth - Self.time - Self.move - 4 * Self.gap
        nameWidth = min(max(1, rest / 2), 18)
    }

    func draw(
        _ row: Plays.Row, _ number: Int, _ names: ContentState, on frame: inout Frame,
        in line: Area
    ) {
        var rest = line.split(columns: Self.mark).right
        func cell(_ columns: Int) -> Area {
            let (cell, after) = rest.split(columns: columns)
            rest = after.split(columns: Self.gap).right
            return cell
        }
        let style = Style(row.side.color)
        frame.write("\(number)", in: cell(numberWidth), .right, .dim)
        frame.write(row.time ?? "", in: cell(Self.time), .right)
        frame.write(names.name(row.player), in: cell(nameWidth), .left, style)
        frame.write(names[row.side].name, in: cell(nameWidth), .left, .dim)
        frame.write(row.move.phrase, in: cell(Self.move))
    }
}

extension Frame {
    /// Marks the chosen row of a list: with `▸`, in reverse, and with the hidden cursor.
    mutating func markChosen(_ row: Area) {
        write("▸", in: row)
        restyle(row) { $0.isReverse = true }
        hiddenCursor = Point(column: row.column, row: row.row)
    }
}
