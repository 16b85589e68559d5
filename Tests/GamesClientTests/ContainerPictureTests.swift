import BusdGamesEvents
import BusdProtocol
import BusdScreens
import BusdScreensTestSupport
import BusdTerminal
import TestSupport
import Testing

@testable import scoreboard

@Suite(.showsScreens) struct ContainerPictureTests {
    private func drawn(_ state: ContainerState, _ columns: Int, _ rows: Int) -> String {
        text(columns, rows) { ContainerPicture(state: state).draw(on: &$0.frame, in: $1) }
    }

    @Test func `On a large screen the score fills both halves below the clock`() {
        #expect(
            drawn(.hawksAndJets(), 80, 16) == """

                                          █▀▀█ ▀█   ▄ ▀█   █▀▀█   ▀▀▀█
                                          █  █  █      █   █  █   ▀▀▀█
                                          █▄▄█ ▄█▄  ▀ ▄█▄  █▄▄█ ▄ ▄▄▄█
                               Hawks                 paused                 Jets

                            ██████████████▄                         ██████████████▄
                            ████████████████                        ████████████████
                                        ████                                    ████
                                        ████                                    ████
                            ████████████████                         ▄██████████████
                            ████████████████                        ██████████████▀
                                        ████                        ████
                                        ████                        ████
                            ████████████████                        ████████████████
                            ██████████████▀                          ▀██████████████

                """)
    }

    @Test func `On a small screen the clock stands between the names`() {
        #expect(
            drawn(.hawksAndJets(12, 10), 40, 7) == """
                   Hawks     01:10.3 paused     Jets
                  ████    ███████▄    ████    ▄██████▄
                    ██          ██      ██    ██    ██
                    ██     ▄▄▄▄▄██      ██    ██    ██
                    ██    ██▀▀▀▀▀       ██    ██    ██
                    ██    ██            ██    ██    ██
                  ██████  ▀███████    ██████  ▀██████▀

                """)
    }

    @Test func `On a tiny screen the score is plain text`() {
        #expect(
            drawn(.hawksAndJets(), 30, 2) == """
                   Hawks    3 - 2     Jets
                        01:10.3 paused

                """)
        #expect(drawn(.hawksAndJets(), 20, 2) == "Hawks  3 - 2   Jets\n   01:10.3 paused\n")
    }

    @Test func `A score of three digits fits`() {
        #expect(
            drawn(.hawksAndJets(108, 9), 48, 5) == """
                     Hawks       01:10.3 paused       Jets
                  ████   ▄████▄ ▄████▄           ▄████▄
                    ██   ██  ██ ██▄▄██           ██▄▄██
                    ██   ██  ██ ██▀▀██            ▀▀▀██
                  ██████ ▀████▀ ▀████▀           █████▀

                """)
    }

    @Test func `Long and wide names are cut, and shift nothing`() {
        var state = ContainerState.hawksAndJets()
        state.home = "東京オリンピック記念バスケットボールクラブ第一チーム"
        state.away = "👨‍👩‍👧 Familienmannschaft Süd"
        #expect(
            drawn(state, 40, 4) == """
                 東京オリ…   01:10.3 paused  👨👩👧 Fa…
                        ▀▀▀█                ▀▀▀█
                        ▀▀▀█                █▀▀▀
                        ▄▄▄█                █▄▄▄

                """)
    }

    @Test func `Long names do not cover the state between them`() {
        var state = ContainerState.hawksAndJets()
        state.home = "The Very Famous Alligators of the South"
        state.away = "An Even More Famous Team of the North End"
        let line = drawn(state, 80, 16).split(separator: "\n", omittingEmptySubsequences: false)[4]
        #expect(
            line
                == "  The Very Famous Alligators of t…   paused   An Even More Famous Team of the…"
        )
    }

    @Test func `The winner is named, and the other's score is dimmed`() {
        var state = ContainerState.hawksAndJets(15, 13)
        state.apply(.finished(isFinished: true, winner: .home))
        let picture = picture(80, 16) { ContainerPicture(state: state).draw(on: &$0.frame, in: $1) }
        #expect(picture.frame.lines[4].contains("Hawks win"))
        let home = picture.frame.style(at: Point(column: 7, row: 7))
        let away = picture.frame.style(at: Point(column: 47, row: 7))
        #expect(home == Style(.primary, bold: true))
        #expect(away == Style(.secondary, dim: true))
    }

    @Test func `The container draws nothing outside its area`() {
        for columns in stride(from: 0, through: 130, by: 7) {
            for rows in 0...30 {
                expectInside(columns, rows) { picture, area in
                    ContainerPicture(state: .hawksAndJets(12, 10)).draw(
                        on: &picture.frame, in: area)
                }
            }
        }
    }
}
