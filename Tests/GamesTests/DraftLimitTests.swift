import BusdApplicationTestSupport
import BusdGamesEvents
import BusdProtocol
import BusdTestKit
import Testing

@testable import BusdGames

@Suite struct DraftLimitTests {
    private let libraries = Libraries(clock: Timeline())
    private let long = String(repeating: "x", count: 1_025)
    private var longest: String { String(long.dropLast()) }
    private let nameRefusal = Refusal(
        .badEvent, "a name in a draft has at most 1024 bytes (limit draftName)", at: "name")

    private func gameCreator(_ space: DraftSpace = DraftSpace()) throws -> GameCreatorViewModel {
        GameCreatorViewModel(
            at: try address("game-creator/me"), services: Room(libraries, drafts: space))
    }

    private struct Room: HasGames, HasDrafts, HasWallClock {
        let wallClock: any WallClock = FixedWallClock()
        let games: Library<Game>
        let drafts: DraftSpace

        init(_ libraries: Libraries, drafts: DraftSpace) {
            games = Library(libraries)
            self.drafts = drafts
        }
    }

    @Test func `A draft of a game takes 1,024 bytes of a name and refuses more`() throws {
        let creator = try gameCreator()
        for side in Side.allCases {
            #expect(creator.refusal(of: .teamNameChanged(side: side, name: longest)) == nil)
            #expect(creator.refusal(of: .teamNameChanged(side: side, name: long)) == nameRefusal)
            for number in 0..<3 {
                let index = try #require(PlayerIndex(number))
                func changed(_ name: String) -> GameCreator.ViewEvent {
                    .playerNameChanged(side: side, index: index, name: name)
                }
                #expect(creator.refusal(of: changed(longest)) == nil)
                #expect(creator.refusal(of: changed(long)) == nameRefusal)
            }
        }
    }

    @Test func `A field is refused while all drafts together have too many bytes`() throws {
        let space = DraftSpace(most: 2_000)
        let refusal = Refusal(
            .overloaded,
            "all drafts together have at most 2000 bytes: empty one (limit drafts)")
        let (first, second) = (try gameCreator(space), try gameCreator(space))
        func name(_ count: Int) -> GameCreator.ViewEvent {
            .teamNameChanged(side: .home, name: String(repeating: "y", count: count))
        }
        first.handle(name(1_024), settling: libraries)
        #expect(second.refusal(of: name(977)) == refusal)
        #expect(second.refusal(of: name(976)) == nil)
        // A shorter text is always accepted.
        #expect(first.refusal(of: name(0)) == nil)
        first.handle(name(0), settling: libraries)
        #expect(second.refusal(of: name(977)) == nil)
    }

    @Test func `A draft gives back its bytes when it is released, or if it becomes a game`() throws
    {
        let space = DraftSpace()
        do {
            let creator = try gameCreator(space)
            creator.handle(.teamNameChanged(side: .home, name: longest), settling: libraries)
            #expect(space.bytes == 1_024)
        }
        #expect(space.bytes == 0)
        let creator = try gameCreator(space)
        for side in Side.allCases {
            creator.handle(.teamNameChanged(side: side, name: "T"), settling: libraries)
            for number in 0..<3 {
                let index = try #require(PlayerIndex(number))
                creator.handle(
                    .playerNameChanged(side: side, index: index, name: "P"), settling: libraries)
            }
        }
        #expect(space.bytes == 8)
        creator.handle(.createTapped(), settling: libraries)
        #expect(space.bytes == 0)
    }
}
