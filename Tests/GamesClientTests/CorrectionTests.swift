import BusdGamesEvents
import BusdProtocol
import BusdTerminal
import Testing

@testable import scoreboard

@Suite struct CorrectionFormTests {
    private let first = PlayerIndex(0)

    private func type(_ text: String, _ form: inout CorrectionForm) {
        for key in Key.typing(text) { form.edit(key) }
    }

    @Test func `Only changed fields are events, each with what it was`() throws {
        var form = CorrectionForm(.hawksAndJets(), .fiveEach)
        #expect(try form.events() == [])
        type("!", &form)
        form.moveFocus(by: 1)
        type("e", &form)
        form.moveFocus(by: -2)
        form.edit(.control("u"))
        type("02:00", &form)
        let index = try #require(first)
        let events = try form.events()
        #expect(
            events == [
                .renameTeam(side: .home, name: try Name("Hawks!"), was: try Name("Hawks")),
                .renamePlayer(
                    side: .home, index: index, name: try Name("Anne"), was: try Name("Ann")),
                .setClock(time: "02:00", setting: 0),
            ])
        for event in events { form.made(event, setting: 7) }
        #expect(try form.events() == [])
        form.edit(.text("0"))
        #expect(try form.events() == [.setClock(time: "02:000", setting: 7)])
    }

    @Test func `A name with a problem is not sent`() {
        var form = CorrectionForm(.hawksAndJets(), .hawksAndJets)
        form.edit(.control("u"))
        #expect(throws: NameProblem.isEmpty) { try form.events() }
    }
}
