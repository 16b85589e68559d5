import BusdScreens
import BusdTerminal

/// A game: the content view inside the container, or one of them.
struct GamePicture {
    let parts: GameParts
    let container: ContainerState
    let content: ContentState
    let choice: PlayerChoice

    func draw(on picture: inout Picture, in area: Area) {
        switch parts {
        case .container: ContainerPicture(state: container).draw(on: &picture.frame, in: area)
        case .content:
            ContentPicture(state: content, choice: choice).draw(on: &picture, in: area)
        case .both where content.isHidden:
            ContainerPicture(state: container).draw(on: &picture.frame, in: area)
        case .both: drawBoth(on: &picture, in: area)
        }
    }

    private func drawBoth(on picture: inout Picture, in area: Area) {
        // If there is room: an empty row between the two views, and below the table another one and
        // the moves.
        let gap = area.rows >= 13 ? 1 : 0
        let moves = area.rows >= 20 ? 2 : 0
        let players = ContentPicture(state: content, choice: choice)
        let (top, bottom) = area.split(rows: area.rows - players.rows - gap - moves)
        ContainerPicture(state: container).draw(on: &picture.frame, in: top)
        players.draw(on: &picture, in: bottom.split(rows: gap).bottom)
    }
}
