import BusdGamesEvents
import BusdProtocol
import BusdScreens
import BusdTerminal

/// The content view: a table of each team's players and their counts.
struct ContentPicture {
    let state: ContentState
    /// Nil: no player is marked.
    let choice: PlayerChoice?

    static func minimum(size: Int) -> Size { Size(columns: 36, rows: 1 + size) }

    /// Of the tables side by side.
    var rows: Int { 1 + state.size + (state.isFinished ? 1 : 0) }

    func draw(on picture: inout Picture, in area: Area) {
        let layout = ContentLayout(
            area, rows: rows - 1, needed: ContentTable.needed(state, hasKeys: hasKeys))
        for side in Side.allCases { draw(side, on: &picture, layout) }
        if let moves = layout.moves, !state.isFinished {
            let row = moves.split(columns: 2).right
            Hint.draw(GameHints.moves(columns: row.columns), on: &picture, in: row)
        }
    }

    private func draw(_ side: Side, on picture: inout Picture, _ layout: ContentLayout) {
        let head = layout.head(side)
        let table = ContentTable(columns: head.columns, state, hasKeys: hasKeys)
        picture.frame.write(
            state[side].name, in: table.name(in: head), .left, Style(side.color, bold: true))
        for move in Move.allCases {
            let cell = table.cell(move, in: head)
            picture.frame.write(table.label(move), in: cell, .right, .dim)
            picture.react(to: .key(move.key), in: cell)
        }
        for (index, player) in state[side].players.enumerated() {
            let place = PlayerChoice(side: side, index: index)
            let row = layout.row(place)
            draw(player, place, on: &picture, table, row)
            picture.react(to: .field(place.number(size: state.size)), in: row)
        }
        if state.isFinished { drawFouls(side, on: &picture.frame, table, layout) }
    }

    /// The letters of players are shown where they can be pressed.
    private var hasKeys: Bool { choice != nil && !state.isFinished }

    private func drawFouls(
        _ side: Side, on frame: inout Frame, _ table: ContentTable, _ layout: ContentLayout
    ) {
        let row = layout.row(PlayerChoice(side: side, index: state.size))
        frame.write("Team fouls", in: table.name(in: row), .left, .dim)
        frame.write("\(state.fouls(side))", in: table.cell(.foul, in: row), .right, .bold)
    }

    private func draw(
        _ player: PlayerState, _ place: PlayerChoice, on picture: inout Picture,
        _ table: ContentTable, _ row: Area
    ) {
        if hasKeys {
            picture.frame.write(String(place.letter), in: table.letter(in: row), .left, .bold)
        }
        picture.frame.write(player.name, in: table.name(in: row))
        for move in Move.allCases {
            let count = player[move]
            let cell = table.cell(move, in: row)
            picture.frame.write(count.text, in: cell, .right, count.isZero ? .dim : .plain)
        }
        if place == choice, !state.isFinished { picture.frame.markChosen(row) }
    }
}

/// The columns of a team's table. Each count is as wide as the widest of all players, and the
/// name gets the rest.
struct ContentTable {
    let columns: Int
    private let isRoomy: Bool
    private let widths: [Int]
    private let hasKeys: Bool

    /// - Parameter hasKeys: the letter of each player stands before the name.
    init(columns: Int, _ state: ContentState, hasKeys: Bool) {
        (self.columns, self.hasKeys) = (columns, hasKeys)
        let isRoomy = columns >= Self.roomy
        self.isRoomy = isRoomy
        let players = state.home.players + state.away.players
        widths = Move.allCases.map { move in
            let label = isRoomy ? move.label.columns : 1
            return 1 + players.reduce(label) { max($0, $1[move].text.columns) }
        }
    }

    /// The columns of a table with room for all names, and some more.
    static func needed(_ state: ContentState, hasKeys: Bool) -> Int {
        let names = Side.allCases.flatMap { [state[$0].name] + state[$0].players.map(\.name) }
        let table = ContentTable(columns: roomy, state, hasKeys: hasKeys)
        let longest = names.reduce(leastName) { max($0, $1.columns) }
        return table.before + longest + gap + table.widths.reduce(0, +)
    }

    private static let roomy = 34
    private static let mark = 2
    private static let letter = 2
    private static let leastName = 16
    private static let gap = 2

    private var nameColumns: Int { max(0, columns - widths.reduce(0, +)) }

    /// Columns before the name: the mark of the chosen player, and the letter.
    private var before: Int { hasKeys ? mark + Self.letter : mark }

    /// With little room, there is no gap between the mark and the letter.
    private var mark: Int { hasKeys && !isRoomy ? 1 : Self.mark }

    /// The letter's cell in a row of the table.
    func letter(in row: Area) -> Area {
        row.split(columns: mark).right.split(columns: Self.letter).left
    }

    /// The name's cell in a row of the table.
    func name(in row: Area) -> Area {
        row.split(columns: nameColumns).left.split(columns: before).right
    }

    /// The head of a column: its label, or its key if there is little room.
    func label(_ move: Move) -> String { isRoomy ? move.label : String(move.letter) }

    /// The cell in a row of the table.
    func cell(_ move: Move, in row: Area) -> Area {
        let before = widths.prefix(move.number).reduce(nameColumns, +)
        return row.split(columns: before).right.split(columns: widths[move.number]).left
    }
}
