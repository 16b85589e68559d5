import BusdGamesEvents
import BusdProtocol
import BusdTestKit
import Testing

@testable import BusdGames
@testable import BusdViewModels

/// The encoded draft that a planned stop saves and the next daemon restores.
@Suite struct DraftTests {
    private let world = GamesFixture()
    private let books = BooksFixture()

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

    @Test func `A draft of a book is the same after a restart, with its revision`() throws {
        let creator = try books.creator()
        #expect(creator.encodedDraft == nil)
        creator.handle(event: .nameChanged(name: "Kanji"))
        creator.handle(event: .nextTapped)
        for text in ["a\tb", "a\tb\nno tab"] { creator.handle(event: .cardsChanged(text: text)) }
        let bytes = try #require(creator.encodedDraft)
        let again = try books.creator()
        try again.restore(bytes)
        again.startOnce()
        #expect(
            again.output.current == [
                .screen(name: .cards), .name(text: "Kanji"),
                .cardsText(text: "a\tb\nno tab", revision: 2),
                .cards(count: 1, problems: ["line 2 has no tab"]),
                .nextEnabled(isEnabled: true), .addEnabled(isEnabled: false),
            ])
        #expect(again.refusal(of: .cardsChanged(text: "c\td", revision: 2)) == nil)
        #expect(again.refusal(of: .cardsChanged(text: "c\td", revision: 1))?.code == .stale)
    }

    @Test func `A draft has a permanent form`() throws {
        let creator = try books.creator()
        creator.handle(event: .nameChanged(name: "Kanji"))
        creator.handle(event: .cardsChanged(text: "a\tb"))
        #expect(
            try #require(creator.encodedDraft).elementsEqual(
                #"{"screen":"name","name":"Kanji","cards":"a\tb","revision":1}"#.utf8))
        let game = try gameCreator()
        game.handle(event: .teamNameChanged(side: .away, name: "Jets"))
        #expect(
            try #require(game.encodedDraft).elementsEqual(
                (#"{"home":{"name":"","players":["","",""]},"#
                    + #""away":{"name":"Jets","players":["","",""]}}"#).utf8))
    }

    @Test(arguments: ["", "{}", "[]", #"{"home":1}"#])
    func `Bytes that are not a draft are refused`(text: String) throws {
        let (game, book) = (try gameCreator(), try books.creator())
        #expect(throws: WireError.self) { try game.restore(Array(text.utf8)) }
        #expect(throws: WireError.self) { try book.restore(Array(text.utf8)) }
        #expect((game.encodedDraft, book.encodedDraft) == (nil, nil))
    }
}
