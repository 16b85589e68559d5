import BusdGamesEvents
import BusdProtocol
import BusdScreens

/// The list of plays, and the row that is chosen.
typealias PlaysList = ChosenList<Plays.Row>

/// The plays of a game, as they are shown.
struct PlaysState: Equatable {
    /// The newest is the last.
    private(set) var all = PlaysList()
    /// The rows that the search finds.
    private(set) var found = PlaysList()
    /// The number of each row in `found`, from 1.
    private(set) var numbers: [Int] = []
    var search = Search()

    mutating func apply(_ event: Plays.ViewModelEvent) {
        switch event {
        case .plays(let plays): all.replace(with: plays)
        case .playsEdited(let edits): all.apply(edits)
        }
    }

    /// Finds the rows with the text of the search.
    mutating func find(_ names: ContentState) {
        let rows = all.rows.enumerated().filter { search.isEmpty || finds($0.element, names) }
        numbers = rows.map { $0.offset + 1 }
        found.replace(with: rows.map(\.element))
    }

    private func finds(_ row: Plays.Row, _ names: ContentState) -> Bool {
        search.finds(names.name(row.player), names[row.side].name, row.move.phrase)
    }

    mutating func choose(id: Plays.Row.ID) { found.choose(id: id) }

    mutating func move(by step: Int) { found.move(by: step) }
}

/// The moves of a game. The scorer can correct each of them.
final class PlaysView: View {
    let output = Output<Plays.ViewEvent>()
    var state = PlaysState()

    func handle(event: Plays.ViewModelEvent) { state.apply(event) }

    func takeOut(_ play: Plays.Row) { output.send(.takeOut(play: play)) }

    /// Gives a play to another player, or makes it another move.
    func change(_ play: Plays.Row, to player: PlayerChoice, _ move: Move) {
        guard let index = PlayerIndex(player.index), player != play.player || move != play.move
        else { return }
        output.send(.change(play: play, side: player.side, index: index, move: move))
    }
}

extension Plays.Row {
    var player: PlayerChoice { PlayerChoice(side: side, index: index.value) }
}
