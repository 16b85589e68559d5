import BusdGamesEvents
import BusdProtocol
import BusdScreens
import BusdScreensTestSupport
import BusdTerminal
import TestSupport
import Testing

@testable import scoreboard

@Suite(.showsScreens) struct ContentPictureTests {
    private let ed = PlayerChoice(side: .away, index: 1)

    private func drawn(_ columns: Int, _ rows: Int) -> Picture {
        picture(columns, rows) {
            ContentPicture(state: .hawksAndJets, choice: ed).draw(on: &$0, in: $1)
        }
    }

    @Test func `The teams stand side by side, above the moves`() {
        #expect(
            drawn(80, 6).frame.text == """
                      Hawks      1pt 2pt ast reb foul          Jets       1pt 2pt ast reb foul
                    w Ann          1   1   0   3    0        i Di           0   1   0   0    0
                    e Bo           0   0   2   0    1      ▸ o Ed           0   0   0  12    0
                    s Cy           0   0   0   0    0        k Flo          0   0   1   0    0

                    1 point   2 points   a assist   r rebound   f foul

                """)
    }

    @Test func `A narrow table has short heads, and columns as wide as their widest count`() {
        #expect(
            drawn(40, 4).frame.text == """
                   Hawks 1 2 a  r f     Jets  1 2 a  r f
                 w Ann   1 1 0  3 0   i Di    0 1 0  0 0
                 e Bo    0 0 2  0 1  ▸o Ed    0 0 0 12 0
                 s Cy    0 0 0  0 0   k Flo   0 0 1  0 0

                """)
    }

    @Test func `On a narrow and high screen the tables stand below each other`() {
        #expect(
            drawn(40, 11).frame.text == """
                    Hawks           1pt 2pt ast reb foul
                  w Ann               1   1   0   3    0
                  e Bo                0   0   2   0    1
                  s Cy                0   0   0   0    0

                    Jets            1pt 2pt ast reb foul
                  i Di                0   1   0   0    0
                ▸ o Ed                0   0   0  12    0
                  k Flo               0   0   1   0    0

                  1 pt   2 pt   a ast   r reb   f foul

                """)
    }

    @Test func `The chosen player's row is reversed, and nothing else is`() {
        let frame = drawn(80, 6).frame
        for row in 0..<6 {
            for column in 0..<80 {
                let isReverse = frame.style(at: Point(column: column, row: row))?.isReverse
                #expect(isReverse == (row == 2 && 43..<78 ~= column), "\(column), \(row)")
            }
        }
    }

    @Test(arguments: [120, 200, 300])
    func `On a wide terminal the counts stay near the names`(columns: Int) throws {
        let picture = picture(columns, 6) {
            ContentPicture(state: .hawksAndJets, choice: nil).draw(on: &$0, in: $1)
        }
        let (name, count) = (
            try #require(place(of: "Hawks", in: picture)),
            try #require(place(of: "1pt", in: picture))
        )
        #expect(count.column - name.column == 19)
        #expect(name.column > columns / 4 - 30)
    }

    @Test func `Without a choice no row is marked`() {
        let frame = picture(80, 4) {
            ContentPicture(state: .hawksAndJets, choice: nil).draw(on: &$0, in: $1)
        }.frame
        #expect(!frame.text.contains("▸"))
    }

    @Test func `A click on a player chooses, a click on a head or a word makes the move`() throws {
        let picture = drawn(80, 6)
        func touch(_ text: String) throws -> Touch? {
            picture.touch(at: try #require(place(of: text, in: picture)))
        }
        #expect(try touch("Bo") == .field(1))
        #expect(try touch("Flo") == .field(5))
        #expect(try touch("ast") == .key(.text("a")))
        #expect(try touch("rebound") == .key(.text("r")))
        #expect(picture.touch(at: Point(column: 0, row: 4)) == nil)
    }

    @Test func `A finished game has the fouls of each team, and no keys`() {
        var state = ContentState.hawksAndJets
        state.isFinished = true
        let picture = picture(80, 8) {
            ContentPicture(state: state, choice: ed).draw(on: &$0, in: $1)
        }
        #expect(
            picture.frame.text == """
                    Hawks        1pt 2pt ast reb foul        Jets         1pt 2pt ast reb foul
                    Ann            1   1   0   3    0        Di             0   1   0   0    0
                    Bo             0   0   2   0    1        Ed             0   0   0  12    0
                    Cy             0   0   0   0    0        Flo            0   0   1   0    0
                    Team fouls                      1        Team fouls                      0

                """)
        #expect(picture.frame.hiddenCursor == nil)
    }

    @Test func `Five players fit, each with a letter`() {
        let picture = picture(60, 6) {
            ContentPicture(state: .fiveEach, choice: ed).draw(on: &$0, in: $1)
        }
        #expect(
            picture.frame.text == """
                     Hawks       1 2 a  r f         Jets        1 2 a  r f
                   w Ann         1 1 0  3 0       i Di          0 1 0  0 0
                   e Bo          0 0 2  0 1      ▸o Ed          0 0 0 12 0
                   s Cy          0 0 0  0 0       k Flo         0 0 1  0 0
                   d Gus         0 1 0  0 2       j Ike         1 0 0  2 1
                   x Hal         0 0 0  0 0       m Joe         0 0 3  0 0

                """)
        #expect(picture.frame.hiddenCursor == Point(column: 33, row: 2))
    }

    @Test func `The content draws nothing outside its area`() {
        for columns in stride(from: 0, through: 100, by: 5) {
            for rows in 0...25 {
                expectInside(columns, rows) {
                    ContentPicture(state: .hawksAndJets, choice: ed).draw(on: &$0, in: $1)
                }
            }
        }
    }
}

@Suite(.showsScreens) struct GamePictureTests {
    private func drawn(_ parts: GameParts, _ columns: Int, _ rows: Int, isOver: Bool = false)
        -> String
    {
        var container = ContainerState.hawksAndJets(12, 10)
        var content = ContentState.hawksAndJets
        content.isFinished = isOver
        if isOver { container.apply(.finished(isFinished: true, winner: .home)) }
        return text(columns, rows) {
            GamePicture(
                parts: parts, container: container, content: content, choice: PlayerChoice()
            ).draw(on: &$0, in: $1)
        }
    }

    @Test func `The content stands inside the container`() {
        #expect(
            drawn(.both, 80, 23) == """

                                          █▀▀█ ▀█   ▄ ▀█   █▀▀█   ▀▀▀█
                                          █  █  █      █   █  █   ▀▀▀█
                                          █▄▄█ ▄█▄  ▀ ▄█▄  █▄▄█ ▄ ▄▄▄█
                               Hawks                 paused                 Jets

                     ████████        ██████████████▄         ████████         ▄████████████▄
                     ████████        ████████████████        ████████        ████████████████
                         ████                    ████            ████        ████        ████
                         ████                    ████            ████        ████        ████
                         ████         ▄██████████████            ████        ████        ████
                         ████        ██████████████▀             ████        ████        ████
                         ████        ████                        ████        ████        ████
                         ████        ████                        ████        ████        ████
                     ████████████    ████████████████        ████████████    ████████████████
                     ████████████     ▀██████████████        ████████████     ▀████████████▀

                      Hawks      1pt 2pt ast reb foul          Jets       1pt 2pt ast reb foul
                  ▸ w Ann          1   1   0   3    0        i Di           0   1   0   0    0
                    e Bo           0   0   2   0    1        o Ed           0   0   0  12    0
                    s Cy           0   0   0   0    0        k Flo          0   0   1   0    0

                    1 point   2 points   a assist   r rebound   f foul

                """)
    }

    @Test func `Container and content fit a small screen`() {
        #expect(
            drawn(.both, 40, 11) == """
                   Hawks     01:10.3 paused     Jets
                  ████    ███████▄    ████    ▄██████▄
                    ██          ██      ██    ██    ██
                    ██     ▄▄▄▄▄██      ██    ██    ██
                    ██    ██▀▀▀▀▀       ██    ██    ██
                    ██    ██            ██    ██    ██
                  ██████  ▀███████    ██████  ▀██████▀
                   Hawks 1 2 a  r f     Jets  1 2 a  r f
                ▸w Ann   1 1 0  3 0   i Di    0 1 0  0 0
                 e Bo    0 0 2  0 1   o Ed    0 0 0 12 0
                 s Cy    0 0 0  0 0   k Flo   0 0 1  0 0

                """)
    }

    private func drawn(
        _ columns: Int, _ rows: Int, isOver: Bool = false, stop: String? = nil
    ) -> String {
        var container = ContainerState.hawksAndJets(15, 13)
        var content = ContentState.fiveEach
        content.isFinished = isOver
        if isOver { container.apply(.finished(isFinished: true, winner: .home)) }
        return text(columns, rows) {
            GamePicture(
                parts: .both, container: container, content: content, choice: PlayerChoice(),
                plays: .twelve, stop: stop
            ).draw(on: &$0, in: $1)
        }
    }

    @Test func `A finished game has its winner, the table and the plays`() {
        #expect(
            drawn(80, 23, isOver: true) == """
                            Hawks              01:10.3 Hawks win               Jets
                           ████     ▄████████                      ████     ████████▄
                             ██     ██                               ██            ██
                             ██     ██▄▄▄▄▄▄                         ██     ▄▄▄▄▄▄▄██
                             ██      ▀▀▀▀▀▀██                        ██     ▀▀▀▀▀▀▀██
                             ██            ██                        ██            ██
                           ██████   ████████▀                      ██████   ████████▀

                    Hawks        1pt 2pt ast reb foul        Jets         1pt 2pt ast reb foul
                    Ann            1   1   0   3    0        Di             0   1   0   0    0
                    Bo             0   0   2   0    1        Ed             0   0   0  12    0
                    Cy             0   0   0   0    0        Flo            0   0   1   0    0
                    Gus            0   1   0   0    2        Ike            1   0   0   2    1
                    Hal            0   0   0   0    0        Joe            0   0   3   0    0
                    Team fouls                      3        Team fouls                      1

                    Plays
                     7  00:16.4  Flo                 Jets                an assist
                     8  00:17.4  Gus                 Hawks               a rebound
                     9  00:18.4  Joe                 Jets                a foul
                    10  00:19.4  Ann                 Hawks               1 point
                    11  00:20.4  Ed                  Jets                2 points
                    12  00:21.4  Cy                  Hawks               an assist

                """)
    }

    @Test func `Five a side fit a small screen`() {
        #expect(
            drawn(60, 14, stop: "the clock was stopped by a restart at 14:05") == """
                        the clock was stopped by a restart at 14:05
                        Hawks          01:10.3 paused          Jets
                      ████     ▄████████            ████     ████████▄
                        ██     ██                     ██            ██
                        ██     ██▄▄▄▄▄▄               ██     ▄▄▄▄▄▄▄██
                        ██      ▀▀▀▀▀▀██              ██     ▀▀▀▀▀▀▀██
                        ██            ██              ██            ██
                      ██████   ████████▀            ██████   ████████▀
                     Hawks       1 2 a  r f         Jets        1 2 a  r f
                  ▸w Ann         1 1 0  3 0       i Di          0 1 0  0 0
                   e Bo          0 0 2  0 1       o Ed          0 0 0 12 0
                   s Cy          0 0 0  0 0       k Flo         0 0 1  0 0
                   d Gus         0 1 0  0 2       j Ike         1 0 0  2 1
                   x Hal         0 0 0  0 0       m Joe         0 0 3  0 0

                """)
    }

    @Test func `A large screen shows the newest plays beside the game`() {
        let lines = drawn(200, 49).split(separator: "\n")
        #expect(lines[0].hasSuffix("  Plays"))
        #expect(lines.contains { $0.contains("   12  00:21.4  Cy  ") })
        #expect(lines.filter { $0.contains("Hawks") && $0.contains("00:") }.count == 5)
    }

    @Test func `A high screen shows the newest plays below the game`() {
        #expect(
            drawn(80, 30) == """
                                          █▀▀█ ▀█   ▄ ▀█   █▀▀█   ▀▀▀█
                                          █  █  █      █   █  █   ▀▀▀█
                                          █▄▄█ ▄█▄  ▀ ▄█▄  █▄▄█ ▄ ▄▄▄█
                               Hawks                 paused                 Jets

                      ████████        ▄████████████           ████████       ████████████▄
                      ████████       ██████████████           ████████       ██████████████
                          ████       ████                         ████                 ████
                          ████       ████▄▄▄▄▄▄▄▄                 ████       ▄▄▄▄▄▄▄▄▄▄████
                          ████       ▀████████████▄               ████       ██████████████
                          ████         ▀▀▀▀▀▀▀▀████               ████       ▀▀▀▀▀▀▀▀▀▀████
                          ████                 ████               ████                 ████
                      ████████████   ██████████████           ████████████   ██████████████
                      ████████████   ████████████▀            ████████████   ████████████▀

                      Hawks      1pt 2pt ast reb foul          Jets       1pt 2pt ast reb foul
                  ▸ w Ann          1   1   0   3    0        i Di           0   1   0   0    0
                    e Bo           0   0   2   0    1        o Ed           0   0   0  12    0
                    s Cy           0   0   0   0    0        k Flo          0   0   1   0    0
                    d Gus          0   1   0   0    2        j Ike          1   0   0   2    1
                    x Hal          0   0   0   0    0        m Joe          0   0   3   0    0

                    1 point   2 points   a assist   r rebound   f foul

                    Plays
                     8  00:17.4  Gus                 Hawks               a rebound
                     9  00:18.4  Joe                 Jets                a foul
                    10  00:19.4  Ann                 Hawks               1 point
                    11  00:20.4  Ed                  Jets                2 points
                    12  00:21.4  Cy                  Hawks               an assist

                """)
    }

    @Test func `A game draws nothing outside its area`() {
        var content = ContentState.fiveEach
        for columns in stride(from: 36, through: 180, by: 24) {
            for rows in stride(from: 11, through: 50, by: 3) {
                content.isFinished.toggle()
                expectInside(columns, rows) {
                    GamePicture(
                        parts: .both, container: .hawksAndJets(), content: content,
                        choice: PlayerChoice(), plays: .twelve, stop: "stopped"
                    ).draw(on: &$0, in: $1)
                }
            }
        }
    }

    @Test func `Container and content can be shown alone`() {
        #expect(!drawn(.container, 80, 23).contains("Ann"))
        #expect(drawn(.content, 80, 23).contains("Ann"))
        #expect(!drawn(.content, 80, 23).contains("01:10.3"))
    }
}
