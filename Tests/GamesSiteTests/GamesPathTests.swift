import BusdProtocol
import BusdSite
import Testing

@testable import BusdGamesSite

struct GamesPathTests {
    @Test func `The list and each game have a path`() {
        #expect(GamesPath("/") == .list)
        #expect(GamesPath("/scoreboard/7") == .game(.literal("scoreboard/7")))
        for path in ["", "/scoreboard", "/scoreboard/1/", "/scoreboard/1/home/1", "/games/1", "//"]
        {
            #expect(GamesPath(path) == nil, "\(path)")
        }
        for path in ["/", "/scoreboard/7"] { #expect(GamesPath(path)?.description == path) }
    }

    @Test func `A phone begins with the game of its pattern, and else with the list`() {
        let games = [
            "scoreboard/1/**": "/scoreboard/1", "scoreboard/1": "/scoreboard/1",
            "scoreboard/1/home/*": "/scoreboard/1", "scoreboard/**": nil,
            "scoreboard/*/home/1": nil, "scoreboard": nil, "shopping/1": nil,
        ]
        for (pattern, path) in games {
            #expect(GamesPath(gameOf: pattern)?.description == path, "\(pattern)")
        }
    }

    @Test func `A phone is listed with the game of its page and its taps`() {
        let game = Presence(at: .literal("scoreboard/1"), event: "finished")
        for address in ["scoreboard/1", "scoreboard/1/home/1"] {
            #expect(GamesPath(gameOf: address)?.presence == game)
        }
        #expect(GamesPath(gameOf: "games") == nil && GamesPath.list.presence == nil)
    }
}
