import BusdProtocol
import BusdScreens

/// A view on the list of games.
final class GamesView: View {
    let output = Output<Games.ViewEvent>()
    var list = GamesList()

    func handle(event: Games.ViewModelEvent) { list.apply(event) }

    func delete(_ game: Games.Row) { output.send(.deleteGame(game: game.id)) }
}
