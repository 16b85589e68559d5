import BusdProtocol
import BusdScreens
import BusdTerminal
import Testing

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
        case .twoPoints: .twoPointMoveCount(text: "\(count)", count: count)
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
}

/// The text that `draw` makes in an area of this size.
func text(_ columns: Int, _ rows: Int, _ draw: (inout Picture, Area) -> Void) -> String {
    picture(columns, rows, draw).frame.text
}

func picture(_ columns: Int, _ rows: Int, _ draw: (inout Picture, Area) -> Void) -> Picture {
    var picture = Picture(Size(columns: columns, rows: rows))
    draw(&picture, picture.area)
    return picture
}

/// The place of a text in a picture.
func place(of text: String, in picture: Picture) -> Point? {
    for (row, line) in picture.frame.lines.enumerated() {
        if let range = line.firstRange(of: text) {
            return Point(column: String(line[..<range.lowerBound]).columns, row: row)
        }
    }
    return nil
}

/// Expects that `draw` does not change the cells around its area.
func expectInside(_ columns: Int, _ rows: Int, _ draw: (inout Picture, Area) -> Void) {
    let picture = picture(columns + 2, rows + 2) { picture, area in
        for row in 0..<area.rows {
            let line = String(repeating: "+", count: area.columns)
            picture.frame.write(line, at: Point(column: 0, row: row))
        }
        let inner = area.inset(columns: 1, rows: 1)
        picture.frame.clear(inner)
        draw(&picture, inner)
    }
    let lines = picture.frame.lines
    #expect(lines.first?.allSatisfy { $0 == "+" } == true, "\(columns)x\(rows)")
    #expect(lines.last?.allSatisfy { $0 == "+" } == true, "\(columns)x\(rows)")
    #expect(lines.allSatisfy { $0.hasPrefix("+") && $0.hasSuffix("+") }, "\(columns)x\(rows)")
}
