import BusdScreens
import BusdTerminal

/// A game: the content view inside the container, or one of them, and the newest plays if there is
/// room.
struct GamePicture {
    let parts: GameParts
    let container: ContainerState
    let content: ContentState
    let choice: PlayerChoice
    var plays = PlaysList()
    /// When a restart has stopped the clock, if it has.
    var stop: String?
    /// The other scorekeepers of the game; `nil`: there are none.
    var scorekeepers: String?

    func draw(on picture: inout Picture, in area: Area) {
        var area = area
        if let stop {
            let lines = WrappedText.balanced(stop, columns: area.columns)
                .cut(to: 2, columns: area.columns)
            for (row, line) in lines.enumerated() {
                picture.frame.write(line, in: area, row: row, .center, Style(.notice, bold: true))
            }
            area = area.split(rows: lines.count).bottom
        }
        if let scorekeepers, area.rows > least {
            let line = WrappedText(scorekeepers, columns: area.columns).cut(
                to: 1, columns: area.columns)
            picture.frame.write(line.joined(), in: area, row: 0, .center, Style(.notice))
            area = area.split(rows: 1).bottom
        }
        switch parts {
        case .container: ContainerPicture(state: container).draw(on: &picture.frame, in: area)
        case .content:
            ContentPicture(state: content, choice: choice).draw(on: &picture, in: area)
        case .both: drawAll(on: &picture, in: area)
        }
    }

    /// The rows that the views need.
    private var least: Int {
        switch parts {
        case .container: ContainerPicture.minimum.rows
        case .content: players.rows
        case .both: ContainerPicture.minimum.rows + players.rows
        }
    }

    private func drawAll(on picture: inout Picture, in area: Area) {
        let newest = LastPlaysPicture(plays: plays, names: content)
        guard plays.isKnown else { return drawBoth(on: &picture, in: area) }
        if area.columns >= 140 {
            let (left, right) = area.split(columns: area.columns - LastPlaysPicture.columns)
            drawBoth(on: &picture, in: left)
            newest.draw(on: &picture.frame, in: right.inset(columns: 2, rows: 1))
        } else {
            let (top, bottom) = area.split(rows: area.rows - rowsOfPlays(in: area))
            drawBoth(on: &picture, in: top)
            newest.draw(on: &picture.frame, in: inner(bottom.split(rows: 1).bottom))
        }
    }

    private func inner(_ area: Area) -> Area {
        area.centered(Size(columns: min(area.columns, 80), rows: area.rows))
            .inset(columns: area.columns >= 60 ? 2 : 0)
    }

    /// An empty row, the title and the plays. A finished game has less to show, so more of them.
    private func rowsOfPlays(in area: Area) -> Int {
        guard content.isFinished else { return area.rows >= 29 ? area.rows / 5 + 1 : 0 }
        let rest = area.rows - Self.finishedContainer - players.rows - 1
        return rest < 4 ? 0 : min(rest, plays.rows.count + 2)
    }

    private static let finishedContainer = 7

    private var players: ContentPicture { ContentPicture(state: content, choice: choice) }

    private func drawBoth(on picture: inout Picture, in area: Area) {
        // If there is room: an empty row between the two views, and below the table another one and
        // the moves.
        let gap = area.rows >= 9 + content.size + 1 ? 1 : 0
        let moves = area.rows >= 16 + content.size + 1 && !content.isFinished ? 2 : 0
        let (top, bottom) = area.split(rows: area.rows - players.rows - gap - moves)
        ContainerPicture(state: container).draw(on: &picture.frame, in: top)
        players.draw(on: &picture, in: bottom.split(rows: gap).bottom)
    }
}
