import BusdGamesEvents
import BusdProtocol
import BusdScreens
import BusdTerminal

/// The list of games: one line per game, with aligned scores.
struct GamesPicture {
    let list: GamesList
    var search = Search()

    static let minimum = Size(columns: 30, rows: 4)
    /// The title, and an empty row.
    private static let head = 2

    /// The number of games that an area shows at once.
    static func page(in area: Area) -> Int { area.rows - head }

    func draw(on picture: inout Picture, in area: Area) {
        let inner = area.inset(columns: area.columns >= 60 ? 2 : 0)
        let (title, rest) = inner.split(columns: 2).right.split(columns: 7)
        picture.frame.write("Games", in: title, .left, .bold)
        search.draw(on: &picture.frame, in: rest.split(rows: 1).top)
        let body = inner.split(rows: Self.head).bottom
        if list.rows.isEmpty {
            return picture.frame.write(empty, in: body, row: body.rows / 3, .center, .dim)
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

    private var empty: String {
        if list.isHidden { return "The daemon does not show you its games." }
        if !list.isKnown { return "Waiting for the daemon…" }
        return search.isEmpty ? "No games yet: n begins one." : "No team has this name."
    }

    private func drawCount(on frame: inout Frame, in area: Area) {
        guard list.rows.count > Self.page(in: area), let place = list.chosenPlace else { return }
        frame.write("\(place + 1) of \(list.rows.count)", in: area, .right, .dim)
    }

    private func draw(
        _ row: Games.Row, on frame: inout Frame, _ columns: GamesColumns, _ line: Area
    ) {
        let isChosen = row.id == list.chosen
        frame.write(row.id, in: columns.id(in: line), .right, .dim)
        if row.isDeleted {
            drawDeleted(row, on: &frame, in: columns.all(in: line))
        } else {
            let style: Style = row.status == .finished && !isChosen ? .dim : .plain
            frame.write(row.home, in: columns.home(in: line), .right, style)
            frame.write(row.score, in: columns.score(in: line), .center, style)
            frame.write(row.away, in: columns.away(in: line), .left, style)
            frame.write(
                row.status.rawValue, in: columns.status(in: line), .left, Self.style(row.status))
            let day = row.created.map { LocalTime(seconds: $0).day } ?? ""
            frame.write(day, in: columns.day(in: line), .left, .dim)
        }
        if isChosen { frame.markChosen(line) }
    }

    private func drawDeleted(_ row: Games.Row, on frame: inout Frame, in cell: Area) {
        let note = "deleted: u takes it back"
        let (names, rest) = cell.split(columns: cell.columns - note.columns)
        let game = "\(row.home) \(row.score) \(row.away)"
        frame.write(game, in: names.split(columns: names.columns - 2).left, .left, .dim)
        frame.write(note, in: rest, .right, Style(.notice))
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
    private let dayWidth: Int
    private let statusWidth = 8
    private static let mark = 2
    /// In a narrower area there are no days.
    private static let roomForDays = 52

    /// - Parameter newest: the first row of the list, which has the longest id.
    init(_ rows: ArraySlice<Games.Row>, newest: Games.Row?, width: Int) {
        idWidth = max(2, newest?.id.columns ?? 0)
        scoreWidth = rows.reduce(5) { max($0, $1.score.columns) } + 4
        let hasDays = width >= Self.roomForDays && rows.contains { $0.created != nil }
        dayWidth = hasDays ? 10 : 0
        let day = hasDays ? dayWidth + 2 : 0
        let rest = width - Self.mark - idWidth - 2 - scoreWidth - 2 - statusWidth - day
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
    func day(in row: Area) -> Area {
        cell(row, at: awayColumn + nameWidth + statusWidth + 4, dayWidth)
    }

    /// Everything right of the id.
    func all(in row: Area) -> Area { row.split(columns: homeColumn).right }

    private var homeColumn: Int { Self.mark + idWidth + 2 }
    private var awayColumn: Int { homeColumn + nameWidth + scoreWidth }
}
