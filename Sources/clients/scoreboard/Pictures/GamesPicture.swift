import BusdProtocol
import BusdScreens
import BusdTerminal

/// The list of games: one line per game, with aligned scores.
struct GamesPicture {
    let list: GamesList

    static let minimum = Size(columns: 30, rows: 4)
    /// The title, and an empty row.
    private static let head = 2

    /// The number of games that an area shows at once.
    static func page(in area: Area) -> Int { area.rows - head }

    func draw(on picture: inout Picture, in area: Area) {
        let inner = area.inset(columns: area.columns >= 60 ? 2 : 0)
        picture.frame.write("Games", in: inner.split(columns: 2).right, .left, .bold)
        let body = inner.split(rows: Self.head).bottom
        if list.rows.isEmpty {
            return picture.frame.write(
                list.isKnown ? "No games yet: n begins one." : "Waiting for the daemon…", in: body,
                row: body.rows / 3, .center, .dim)
        }
        let first = list.firstShown(of: body.rows)
        let shown = list.rows[first...].prefix(body.rows)
        let columns = GamesColumns(shown, newest: list.rows.first, width: body.columns)
        for (offset, row) in shown.enumerated() {
            let line = body.split(rows: offset).bottom.split(rows: 1).top
            draw(row, on: &picture.frame, columns, line)
            picture.react(to: .row(row.id), in: line)
        }
        drawCount(on: &picture.frame, in: inner)
    }

    private func drawCount(on frame: inout Frame, in area: Area) {
        guard list.rows.count > Self.page(in: area), let place = list.chosenPlace else { return }
        frame.write("\(place + 1) of \(list.rows.count)", in: area, .right, .dim)
    }

    private func draw(
        _ row: Games.Row, on frame: inout Frame, _ columns: GamesColumns, _ line: Area
    ) {
        let isChosen = row.id == list.chosen
        let style: Style = row.status == .finished && !isChosen ? .dim : .plain
        if isChosen { frame.write("▸", in: line, .left, style) }
        frame.write(row.id, in: columns.id(in: line), .right, .dim)
        frame.write(row.home, in: columns.home(in: line), .right, style)
        frame.write(row.score, in: columns.score(in: line), .center, style)
        frame.write(row.away, in: columns.away(in: line), .left, style)
        frame.write(
            row.status.rawValue, in: columns.status(in: line), .left, Self.style(row.status))
        if isChosen { frame.restyle(line) { $0.isReverse = true } }
    }

    private static func style(_ status: Games.Status) -> Style {
        switch status {
        case .running: Style(.good)
        case .paused: Style(.notice)
        case .finished: .dim
        }
    }
}

/// The columns of a row. The names share the rest of the width.
struct GamesColumns {
    private let idWidth: Int
    private let scoreWidth: Int
    private let nameWidth: Int
    private let statusWidth = 8
    private static let mark = 2

    /// - Parameter newest: the first row of the list, which has the longest id.
    init(_ rows: ArraySlice<Games.Row>, newest: Games.Row?, width: Int) {
        idWidth = max(2, newest?.id.columns ?? 0)
        scoreWidth = rows.reduce(5) { max($0, $1.score.columns) } + 4
        let rest = width - Self.mark - idWidth - 2 - scoreWidth - 2 - statusWidth
        nameWidth = min(max(1, rest / 2), 40)
    }

    private func cell(_ row: Area, at column: Int, _ columns: Int) -> Area {
        row.split(columns: column).right.split(columns: columns).left
    }

    func id(in row: Area) -> Area { cell(row, at: Self.mark, idWidth) }
    func home(in row: Area) -> Area { cell(row, at: homeColumn, nameWidth) }
    func score(in row: Area) -> Area { cell(row, at: homeColumn + nameWidth, scoreWidth) }
    func away(in row: Area) -> Area { cell(row, at: awayColumn, nameWidth) }
    func status(in row: Area) -> Area { cell(row, at: awayColumn + nameWidth + 2, statusWidth) }

    private var homeColumn: Int { Self.mark + idWidth + 2 }
    private var awayColumn: Int { homeColumn + nameWidth + scoreWidth }
}
