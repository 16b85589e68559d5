import BusdGamesEvents
import BusdProtocol

/// The state of a player view.
struct PlayerState: Equatable {
    var name = ""
    private var counts = [Count](repeating: Count(), count: Move.allCases.count)

    struct Count: Equatable {
        var text = ""
        var count = 0
        var isZero: Bool { count == 0 }
    }

    subscript(move: Move) -> Count {
        get { counts[move.number] }
        set { counts[move.number] = newValue }
    }

    mutating func apply(_ event: Player.ViewModelEvent) {
        switch event {
        case .name(let text): name = text
        case .onePointMoveCount(let text, let count): set(.onePoint, text, count)
        case .twoPointMoveCount(let text, let count): set(.twoPoint, text, count)
        case .assistMoveCount(let text, let count): set(.assist, text, count)
        case .reboundMoveCount(let text, let count): set(.rebound, text, count)
        case .foulMoveCount(let text, let count): set(.foul, text, count)
        }
    }

    private mutating func set(_ move: Move, _ text: String, _ count: Int) {
        self[move] = Count(text: text, count: count)
    }

    /// `Ann  1pt 2  2pt 1  ast 0  reb 3  foul 0`
    var line: String {
        ([name] + Move.allCases.map { "\($0.label) \(self[$0].text)" }).joined(separator: "  ")
    }
}

/// A player's name and counts.
final class PlayerView: View {
    let output = Output<Player.ViewEvent>()
    private(set) var state = PlayerState()

    func handle(event: Player.ViewModelEvent) { state.apply(event) }

    func make(_ move: Move) { output.send(move.event) }
}
