import Protocol

/// The list of games, and the row that is chosen. The choice stays on its game while others come,
/// go and move; when its game is deleted it goes to the one that takes its place.
struct GamesList: Equatable {
    private(set) var rows: [Games.Row] = []
    /// False before the view model has told anything.
    private(set) var isKnown = false
    private(set) var chosen: Games.Row.ID?

    var chosenPlace: Int? { rows.firstIndex { $0.id == chosen } }

    var chosenRow: Games.Row? { chosenPlace.map { rows[$0] } }

    mutating func apply(_ event: Games.ViewModelEvent) {
        let place = chosenPlace ?? 0
        switch event {
        case .games(let games):
            rows = games
            isKnown = true
        case .gamesEdited(let edits): _ = rows.apply(edits)
        case .created: return
        }
        if chosenPlace == nil { choose(place: place) }
    }

    mutating func choose(id: Games.Row.ID) {
        if rows.contains(where: { $0.id == id }) { chosen = id }
    }

    /// Chooses the row so many below, or above; the ends hold.
    mutating func move(by step: Int) { choose(place: (chosenPlace ?? 0) + step) }

    private mutating func choose(place: Int) {
        chosen = rows.isEmpty ? nil : rows[min(max(0, place), rows.count - 1)].id
    }

    /// The newest game that is not finished; else, if that will do, the newest of all.
    func newest(orFinished: Bool) -> Games.Row? {
        rows.first { $0.status != .finished } ?? (orFinished ? rows.first : nil)
    }
}

extension Games.Row { typealias ID = String }
