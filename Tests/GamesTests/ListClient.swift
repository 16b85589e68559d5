import BusdApplicationTestSupport
import BusdGamesEvents
import BusdProtocol
import Testing

@testable import BusdGames

/// The list of games in a client: it begins with the whole list and applies the edits.
final class ListClient {
    private(set) var rows: [Games.Row] = []

    init<Model: ViewModel>(of list: Model) where Model.ViewModelEvent == Games.ViewModelEvent {
        list.output.bind(self) { $0.receive($1) }
        list.startOnce()
    }

    private func receive(_ event: Games.ViewModelEvent) {
        switch event {
        case .games(let games): rows = games
        case .gamesEdited(let edits):
            let fits = rows.apply(edits)
            #expect(fits, "\(edits)")
        case .created(let game, let address):
            #expect(rows.first?.id == game)
            #expect(rows.first?.address == address)
        }
    }
}
