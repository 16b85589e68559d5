import BusdApplicationTestSupport
import BusdGamesEvents
import BusdProtocol
import BusdTestKit
import Testing

@testable import BusdGames

/// The encoded draft that a planned stop saves and the next daemon restores.
@Suite struct DraftTests {
    private let world = GamesFixture()

    private func gameCreator() throws -> GameCreatorViewModel {
        GameCreatorViewModel(at: try address("game-creator/me"), services: world)
    }

    @Test func `A draft of a game is the same after a restart`() throws {
        let creator = try gameCreator()
        #expect(creator.encodedDraft == nil)
        creator.handle(event: .teamNameChanged(side: .home, name: "Hawks\u{1}"))
        let bytes = try #require(creator.encodedDraft)
        let again = try gameCreator()
        try again.restore(bytes)
        #expect(world.drafts.bytes == 2 * 6)
        #expect(again.output.current == [])
        again.startOnce()
        #expect(
            again.output.current.first
                == .draft(home: TeamDraft(name: "Hawks\u{1}"), away: TeamDraft()))
        again.handle(event: .teamNameChanged(side: .home, name: ""))
        #expect(again.encodedDraft == nil)
    }

    @Test func `A draft has a permanent form`() throws {
        let game = try gameCreator()
        game.handle(event: .teamNameChanged(side: .away, name: "Jets"))
        #expect(
            try #require(game.encodedDraft).elementsEqual(
                (#"{"home":{"name":"","players":["","",""]},"#
                    + #""away":{"name":"Jets","players":["","",""]}}"#).utf8))
    }

    @Test(arguments: ["", "{}", "[]", #"{"home":1}"#])
    func `Bytes that are not a draft are refused`(text: String) throws {
        let game = try gameCreator()
        #expect(throws: WireError.self) { try game.restore(Array(text.utf8)) }
        #expect(game.encodedDraft == nil)
    }
}
