import BusdGamesEvents
import BusdProtocol
import BusdScreens
import BusdTerminal

/// A game as text: one line, or the picture of one view, 80 columns wide.
struct GameText {
    let container: ContainerState
    let content: ContentState
    let parts: GameParts?
    var plays = PlaysList()

    private static let columns = 80

    var text: String {
        switch parts {
        case .container:
            picture(rows: 16) {
                ContainerPicture(state: container).draw(on: &$0.frame, in: $0.area)
            }
        case .content:
            picture(rows: players.rows) { players.draw(on: &$0, in: $0.area) }
        case .both, nil: container.line.printable + "\n" + result
        }
    }

    private var players: ContentPicture { ContentPicture(state: content, choice: nil) }

    /// The table and the plays of a finished game.
    private var result: String {
        guard container.isFinished else { return "" }
        let newest = LastPlaysPicture(plays: plays, names: content)
        return "\n" + picture(rows: players.rows) { players.draw(on: &$0, in: $0.area) } + "\n"
            + picture(rows: plays.rows.count + 1) {
                newest.draw(on: &$0.frame, in: $0.area.inset(columns: 2))
            }
    }

    private func picture(rows: Int, _ draw: (inout Picture) -> Void) -> String {
        var picture = Picture(Size(columns: Self.columns, rows: rows))
        draw(&picture)
        return picture.frame.text
    }
}

extension ContentState {
    /// `Hawks: Ann  1pt 2  2pt 1  ast 0  reb 3  foul 0`, for each known player.
    var lines: [String] {
        Side.allCases.flatMap { side in
            self[side].players.filter { !$0.name.isEmpty }.map { "\(self[side].name): \($0.line)" }
        }
    }
}
