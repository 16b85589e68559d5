import BusdProtocol
import BusdSiteTestSupport
import Testing

@testable import BusdGamesSite

/// A game in which every text is `text`, or has its usual value.
func game(text: String? = nil, playersPerTeam: Int = 3, isFinished: Bool = false) throws
    -> GameValues
{
    let names = quoted(text ?? "Hawks")
    let bench = { (side: String) in
        (1...playersPerTeam).map { "\"scoreboard/1/\(side)/\($0)\"" }.joined(separator: ",")
    }
    var game = GameValues(at: .literal("scoreboard/1"))
    for event in [
        "{\"teams\":{\"home\":\(names),\"away\":\(text.map(quoted) ?? "\"Jets\"")}}",
        "{\"players\":{\"home\":[\(bench("home"))],\"away\":[\(bench("away"))]}}",
        #"{"score":{"home":12,"away":9,"text":"12 - 9"}}"#,
        "{\"time\":{\"text\":\(quoted(text ?? "00:42.1"))}}",
        #"{"paused":{"isPaused":true}}"#,
        "{\"finished\":{\"isFinished\":\(isFinished)\(isFinished ? ",\"winner\":\"home\"" : "")}}",
        "{\"undoable\":{\"canUndo\":true,\"moves\":7,\"text\":\(quoted(text ?? "2 points of Ed"))}}",
    ] {
        game.apply(try json(event), from: game.address)
    }
    for side in ["home", "away"] {
        for place in 1...playersPerTeam {
            let player = try #require(Address("scoreboard/1/\(side)/\(place)"))
            game.apply(try json("{\"name\":{\"text\":\(quoted(text ?? "Ann"))}}"), from: player)
            for move in ["onePoint", "twoPoint", "assist", "rebound", "foul"] {
                game.apply(
                    try json("{\"\(move)MoveCount\":{\"text\":\"2\",\"count\":2}}"), from: player)
            }
        }
    }
    return game
}
