import BusdGamesEvents
import BusdProtocol
import BusdScreens

@testable import scoreboard

extension ContainerState {
    /// Hawks against Jets, paused at 01:10.3.
    static func hawksAndJets(_ home: Int = 3, _ away: Int = 2) -> ContainerState {
        var state = ContainerState()
        state.apply(.teams(home: "Hawks", away: "Jets"))
        state.apply(.score(home: home, away: away, text: "\(home) - \(away)"))
        state.apply(.time(text: "01:10.3"))
        state.apply(.paused(isPaused: true))
        state.apply(.finished(isFinished: false, winner: nil))
        state.apply(.undoable(canUndo: true))
        return state
    }
}

extension PlayerState {
    /// With the counts of one and two points, assists, rebounds and fouls.
    init(_ name: String, _ counts: Int...) {
        self.init()
        apply(.name(text: name))
        for (move, count) in zip(Move.allCases, counts) { apply(move.counted(count)) }
    }
}

extension Move {
    func counted(_ count: Int) -> Player.ViewModelEvent {
        switch self {
        case .onePoint: .onePointMoveCount(text: "\(count)", count: count)
        case .twoPoint: .twoPointMoveCount(text: "\(count)", count: count)
        case .assist: .assistMoveCount(text: "\(count)", count: count)
        case .rebound: .reboundMoveCount(text: "\(count)", count: count)
        case .foul: .foulMoveCount(text: "\(count)", count: count)
        }
    }
}

extension ContentState {
    static let hawksAndJets: ContentState = {
        var state = ContentState()
        state.home.name = "Hawks"
        state.home.players = [
            PlayerState("Ann", 1, 1, 0, 3, 0), PlayerState("Bo", 0, 0, 2, 0, 1),
            PlayerState("Cy", 0, 0, 0, 0, 0),
        ]
        state.away.name = "Jets"
        state.away.players = [
            PlayerState("Di", 0, 1, 0, 0, 0), PlayerState("Ed", 0, 0, 0, 12, 0),
            PlayerState("Flo", 0, 0, 1, 0, 0),
        ]
        return state
    }()

    static let fiveEach: ContentState = {
        var state = hawksAndJets
        state.home.players += [
            PlayerState("Gus", 0, 1, 0, 0, 2), PlayerState("Hal", 0, 0, 0, 0, 0),
        ]
        state.away.players += [
            PlayerState("Ike", 1, 0, 0, 2, 1), PlayerState("Joe", 0, 0, 3, 0, 0),
        ]
        return state
    }()
}

extension Plays.Row {
    static func play(_ id: Int, _ side: Side, _ index: Int, _ move: Plays.Move) -> Plays.Row? {
        let time = id < 3 ? nil : "00:\(id + 9).4"
        return PlayerIndex(index).map {
            Plays.Row(id: "\(id)", side: side, index: $0, move: move, time: time)
        }
    }
}

extension PlaysList {
    /// Twelve plays of two teams of five, each of its own kind; the first two without their times.
    static let twelve: PlaysList = {
        var list = PlaysList()
        list.replace(
            with: (1...12).compactMap { number in
                .play(
                    number, number % 2 == 0 ? .home : .away, number % 5,
                    Plays.Move.allCases[number % 5])
            })
        return list
    }()
}
