import BusdGamesEvents
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

    /// The newest game that is neither finished nor deleted. With `orFinished`, else the newest of
    /// all that are not deleted.
    func newest(orFinished: Bool) -> Games.Row? {
        let open = rows.lazy.filter { !$0.isDeleted }
        return open.first { $0.status != .finished } ?? (orFinished ? open.first : nil)
    }
}
