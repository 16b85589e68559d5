import BusdProtocol
import BusdScreens
import BusdTerminal

/// The content view: a table of each team's players and their counts.
struct ContentPicture {
    let state: ContentState
    /// Nil: no player is marked.
    let choice: PlayerChoice?

    static let minimum = Size(columns: 36, rows: 4)
    /// Of the tables side by side.
    var rows: Int { 1 + state.size }

    func draw(on picture: inout Picture, in area: Area) {
        if state.isHidden {
            let row = area.rows / 2
            return picture.frame.write("The game is over.", in: area, row: row, .center, .dim)
        }
        let layout = ContentLayout(
            area, size: state.size, needed: ContentTable.needed(state))
        for side in Side.allCases { draw(side, on: &picture, layout) }
        if let moves = layout.moves {
            let row = moves.split(columns: 2).right
            Hint.draw(GameHints.moves(columns: row.columns), on: &picture, in: row)
        }
    }

    private func draw(_ side: Side, on picture: inout Picture, _ layout: ContentLayout) {
        let head = layout.head(side)
        let table = ContentTable(columns: head.columns, state)
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
            draw(player, isChosen: place == choice, on: &picture, table, row)
            picture.react(to: .field(place.number(size: state.size)), in: row)
        }
    }

    private func draw(
        _ player: PlayerState, isChosen: Bool, on picture: inout Picture, _ table: ContentTable,
        _ row: Area
    ) {
        if isChosen { picture.frame.write("▸", in: row) }
        picture.frame.write(player.name, in: table.name(in: row))
        for move in Move.allCases {
            let count = player[move]
            let cell = table.cell(move, in: row)
            picture.frame.write(count.text, in: cell, .right, count.isZero ? .dim : .plain)
        }
        if isChosen { picture.frame.restyle(row) { $0.isReverse = true } }
    }
}

/// The columns of a team's table. Each count is as wide as the widest of all players, and the
/// name gets the rest.
struct ContentTable {
    let columns: Int
    private let isRoomy: Bool
    private let widths: [Int]

    init(columns: Int, _ state: ContentState) {
        self.columns = columns
        let isRoomy = columns >= Self.roomy
        self.isRoomy = isRoomy
        let players = state.home.players + state.away.players
        widths = Move.allCases.map { move in
            let label = isRoomy ? move.label.columns : 1
            return 1 + players.reduce(label) { max($0, $1[move].text.columns) }
        }
    }

    /// The columns of a table with room for all names, and some more.
    static func needed(_ state: ContentState) -> Int {
        let names = Side.allCases.flatMap { [state[$0].name] + state[$0].players.map(\.name) }
        let table = ContentTable(columns: roomy, state)
        let longest = names.reduce(leastName) { max($0, $1.columns) }
        return mark + longest + gap + table.widths.reduce(0, +)
    }

    private static let roomy = 34
    private static let mark = 2
    private static let leastName = 16
    private static let gap = 2

    private var nameColumns: Int { max(0, columns - widths.reduce(0, +)) }

    /// The name's cell in a row of the table, right of the mark of the selected player.
    func name(in row: Area) -> Area {
        row.split(columns: nameColumns).left.split(columns: Self.mark).right
    }

    /// The head of a column: its label, or its key if there is little room.
    func label(_ move: Move) -> String { isRoomy ? move.label : String(move.letter) }

    /// The cell in a row of the table.
    func cell(_ move: Move, in row: Area) -> Area {
        let before = widths.prefix(move.rawValue).reduce(nameColumns, +)
        return row.split(columns: before).right.split(columns: widths[move.rawValue]).left
    }
}
