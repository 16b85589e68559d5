import BusdProtocol
import BusdScreens

/// The list of games, and the row that is chosen.
typealias GamesList = ChosenList<Games.Row>

extension GamesList {
    mutating func apply(_ event: Games.ViewModelEvent) {
        switch event {
        case .games(let games): replace(with: games)
        case .gamesEdited(let edits): apply(edits)
        case .created: break
        }
    }

    /// The newest game that is not finished. With `orFinished`, else the newest of all.
    func newest(orFinished: Bool) -> Games.Row? {
        rows.first { $0.status != .finished } ?? (orFinished ? rows.first : nil)
    }
}
