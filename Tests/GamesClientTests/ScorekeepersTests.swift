import BusdProtocol
import BusdScreens
import BusdScreensTestSupport
import BusdTerminal
import TestSupport
import Testing

@testable import scoreboard

@Suite(.showsScreens) struct KeepersTests {
    private let now = LocalTime(seconds: 1_790_000_000)

    private func line(of court: GamePageFixture) -> String? { court.scorekeepers?.text(at: now) }

    // MARK: The line

    @Test func `Another scorekeeper is shown by its user, with the time of its first player`()
        throws
    {
        let court = try GamePageFixture()
        #expect(line(of: court) == nil)
        court.show(
            row(3, 1_000, since: 1_790_000_000),
            row(4, 1_001, since: 1_790_000_000), row(4, 1_001, since: 1_789_999_000))
        let time = LocalTime(seconds: 1_789_999_000)
        #expect(line(of: court) == "user 1001 keeps this game too, since \(time.short(at: now))")
        let page = try #require(court.page)
        let drawn = text(60, 12) { page.draw(on: &$0, in: $1) }
        #expect(drawn.contains("user 1001 keeps this game too, since "))
        court.show(row(3, 1_000))
        #expect(line(of: court) == nil)
        #expect(court.notices == [])
    }

    @Test func `A daemon of an earlier version does not say since when`() throws {
        let court = try GamePageFixture()
        court.show(row(4, 1_001))
        #expect(line(of: court) == "user 1001 keeps this game too")
    }

    @Test(arguments: [
        row(3, 1_000), row(4, 1_001, as: "container", to: "scoreboard/4"),
        row(4, 1_001, as: "plays", to: "scoreboard/4/plays"),
        row(4, 1_001, to: "scoreboard/44/home/1"), row(4, 1_001, to: "scoreboard/4"),
        row(4, 1_001, to: "scoreboard/**"), row(4, 1_001, access: "view"),
        row(4, 1_001, as: "phone", to: "scoreboard/44"), row(3, 1_000, as: "phone"),
        row(4, 1_001, as: "phone", to: "scoreboard/4", access: "view"),
    ])
    func `A spectator, a scorekeeper of another game and this connection are no other scorekeepers`(
        row: String
    ) throws {
        let court = try GamePageFixture()
        court.show(row)
        #expect(line(of: court) == nil)
    }

    @Test func `Several scorekeepers are in one line, each user once`() throws {
        let court = try GamePageFixture()
        court.show(row(4, 1_001), row(5, 65_534), row(6, 1_001))
        #expect(line(of: court) == "user 1001 and an unknown user keep this game too")
        court.show(row(4, 1_001), row(5, 7), row(6, 8))
        #expect(line(of: court) == "user 1001, user 7 and user 8 keep this game too")
        court.show(row(4, 1_001), row(5, 7), row(6, 8), row(7, 9))
        #expect(line(of: court) == "user 1001, user 7 and 2 others keep this game too")
    }

    @Test func `A phone that watches the game is named by its pairing`() throws {
        let court = try GamePageFixture()
        let zoe = row(4, 104, since: 1_789_999_000, as: "phone", to: "scoreboard/4", name: "Zoe")
        court.show(zoe)
        let time = LocalTime(seconds: 1_789_999_000).short(at: now)
        #expect(line(of: court) == "Zoe (phone) keeps this game too, since \(time)")
        let max = row(5, 104, as: "phone", to: "scoreboard/4", name: "Max\\u001b[2J")
        court.show(zoe, max, row(6, 1_001))
        #expect(
            line(of: court)
                == "Zoe (phone), Max\\u{1B}[2J (phone) and user 1001 keep this game too")
        court.score("4 - 2", by: 4)
        #expect(court.page?.echo == "Zoe (phone) made it 4 - 2")
    }

    // MARK: The move of another scorekeeper

    @Test func `A score of another connection is announced for five seconds`() throws {
        let court = try GamePageFixture()
        court.show(row(3, 1_000), row(4, 1_001))
        court.score("4 - 2", by: 4)
        #expect(court.page?.echo == "user 1001 made it 4 - 2")
        court.wait(.milliseconds(4_999))
        #expect(court.page?.echo == "user 1001 made it 4 - 2")
        court.wait(.milliseconds(1))
        #expect(court.page?.echo == nil)
    }

    @Test func `A score of this connection, or without a known cause, is not announced`() throws {
        let court = try GamePageFixture()
        court.show(row(3, 1_000), row(4, 1_001))
        court.score("4 - 2", by: 3)
        court.score("5 - 2")
        court.score("5 - 2", by: 4)
        court.emit(#"{"paused":{"isPaused":false}}"#, #""cause":{"connection":4,"id":2},"#)
        #expect(court.page?.echo == nil)
    }

    @Test func `A script that watches nothing is named as another client`() throws {
        let court = try GamePageFixture()
        court.show(row(3, 1_000))
        court.score("4 - 2", by: 9)
        #expect(court.page?.echo == "another client made it 4 - 2")
        court.show(row(3, 1_000), row(9, 1_001, as: "x", to: "echo/me"))
        court.score("5 - 2", by: 9)
        #expect(court.page?.echo == "user 1001 made it 5 - 2")
    }

    @Test func `A connection that is reported after its first move gets its name then`() throws {
        let court = try GamePageFixture()
        court.show(row(3, 1_000))
        court.score("4 - 2", by: 9)
        court.show(
            row(3, 1_000), row(9, 104, as: "phone", to: "scoreboard/4", name: "Zoe"))
        #expect(court.page?.echo == "Zoe (phone) made it 4 - 2")
        court.show(row(3, 1_000))
        court.wait(.seconds(5))
        #expect(court.page?.echo == nil)
        court.show(row(3, 1_000), row(9, 1_001))
        #expect(court.page?.echo == nil)
    }

    @Test func `A correction of another connection has its name instead of the score`() throws {
        let court = try GamePageFixture()
        court.show(row(3, 1_000), row(4, 1_001))
        let corrected = #"{"corrected":{"text":"took back 1 point of Ed"}}"#
        court.score("2 - 2", by: 4)
        court.emit(corrected, #""cause":{"connection":4,"id":1},"#)
        #expect(court.page?.echo == "user 1001 took back 1 point of Ed")
        court.emit(corrected, #""cause":{"connection":3,"id":1},"#)
        #expect(court.page?.echo == "took back 1 point of Ed")
    }

    @Test func `Scores that were missed while the client was away are not announced`() throws {
        let court = try GamePageFixture()
        court.show(row(3, 1_000), row(4, 1_001))
        court.hangUp()
        #expect(line(of: court) == nil)
        court.welcome(7)
        court.score("4 - 2", by: 3)
        court.live()
        court.show(row(4, 1_001), row(7, 1_000))
        #expect(line(of: court) == "user 1001 keeps this game too")
        #expect(court.page?.echo == nil)
        court.score("5 - 2", by: 4)
        #expect(court.page?.echo == "user 1001 made it 5 - 2")
    }

    // MARK: The subscription

    @Test func `A page without players, and the view socket, watch no scorekeepers`() throws {
        #expect(try GamePageFixture().asked.map(\.op) == ["subscribe"])
        for court in [try GamePageFixture(.container), try GamePageFixture(access: "view")] {
            #expect(court.asked.isEmpty)
            court.score("4 - 2", by: 4)
            #expect(court.page?.echo == nil)
        }
    }

    @Test func `A refused subscription shows nothing, and is tried again later`() throws {
        let court = try GamePageFixture()
        let id = try #require(court.asked.first?.id)
        court.send(
            #"{"error":{"code":"unknownViewModel","message":"there is no bus/views"},"id":\#(id)}"#)
        court.score("4 - 2", by: 4)
        #expect(line(of: court) == nil)
        #expect(court.page?.echo == nil)
        #expect(court.notices == [])
        court.hangUp()
        court.welcome(7)
        court.live()
        #expect(court.asked.map(\.op) == ["subscribe", "subscribe"])
        court.show(row(4, 1_001))
        #expect(line(of: court) == "user 1001 keeps this game too")
    }

    @Test func `The subscription ends with the page, or if a policy hides the view model`() throws {
        let court = try GamePageFixture()
        court.show(row(4, 1_001))
        court.send(#"{"gone":"bus/views"}"#)
        #expect(line(of: court) == nil)
        #expect(court.notices == [])

        let other = try GamePageFixture()
        other.show(row(4, 1_001))
        other.leavePage()
        #expect(other.asked.map(\.op) == ["subscribe", "unsubscribe"])
    }

    // MARK: The picture

    private func drawn(_ parts: GameParts, _ columns: Int, _ rows: Int) -> String {
        text(columns, rows) {
            GamePicture(
                parts: parts, container: .hawksAndJets(12, 10), content: .hawksAndJets,
                choice: PlayerChoice(), scorekeepers: "bob keeps this game too, since 14:05"
            ).draw(on: &$0, in: $1)
        }
    }

    @Test func `The line stands above the game`() {
        #expect(
            drawn(.both, 40, 11) == """
                  bob keeps this game too, since 14:05
                   Hawks     01:10.3 paused     Jets
                  ████    ███████▄    ████    ▄██████▄
                    ██          ██      ██    ██    ██
                    ██    ▄██████▀      ██    ██    ██
                    ██    ██            ██    ██    ██
                  ██████  ▀███████    ██████  ▀██████▀
                   Hawks 1 2 a  r f     Jets  1 2 a  r f
                ▸w Ann   1 1 0  3 0   i Di    0 1 0  0 0
                 e Bo    0 0 2  0 1   o Ed    0 0 0 12 0
                 s Cy    0 0 0  0 0   k Flo   0 0 1  0 0

                """)
    }

    @Test func `The line is cut, and left out if the game needs its row`() {
        #expect(drawn(.content, 24, 5).hasPrefix("bob keeps this game too…\n"))
        for (parts, rows) in [(GameParts.content, 4), (.both, 6), (.container, 2)] {
            #expect(!drawn(parts, 40, rows).contains("bob"))
            #expect(drawn(parts, 40, rows + 1).contains("bob"))
        }
    }

    @Test func `The line draws nothing outside its area`() {
        let long = String(repeating: "\u{1B}[2J界", count: 60)
        for columns in [1, 2, 20, 36, 80] {
            for rows in [1, 4, 6, 11, 23] {
                expectInside(columns, rows) {
                    GamePicture(
                        parts: .both, container: .hawksAndJets(), content: .hawksAndJets,
                        choice: PlayerChoice(), stop: "stopped", scorekeepers: long
                    ).draw(on: &$0, in: $1)
                }
            }
        }
    }
}
