import BusdGamesEvents
import BusdProtocol
import BusdScreens

/// A view on the list of games.
final class GamesView: View {
    let output = Output<Games.ViewEvent>()
    /// The games that the search finds, and the one that is chosen.
    var list = GamesList()
    var search = Search() {
        didSet { find() }
    }
    private var all = GamesList()

    func handle(event: Games.ViewModelEvent) {
        all.apply(event)
        find()
    }

    /// The games are hidden from the user.
    func hide() {
        all.hide()
        list.hide()
    }

    private func find() {
        guard all.isKnown else { return }
        let isAll = search.isEmpty
        list.replace(
            with: isAll ? all.rows : all.rows.filter { search.finds($0.home, $0.away) })
    }

    func delete(_ game: Games.Row) { output.send(.deleteGame(game: game.id)) }

    func restore(_ game: Games.Row) { output.send(.restoreGame(game: game.id)) }
}
