import BusdProtocol
import BusdScreens
import BusdTerminal
import Testing

@testable import books

@Suite struct KeysTests {
    @Test func `the library has keys to choose, move, study, add and delete`() {
        let keys: [(Key, BooksCommand)] = [
            (.up, .choose(by: -1)), (.text("j"), .choose(by: 1)), (.pageDown, .choose(by: 7)),
            (.shiftUp, .move(by: -1)), (.text("K"), .move(by: -1)), (.shiftDown, .move(by: 1)),
            (.text("J"), .move(by: 1)), (.enter, .study), (.text(" "), .study),
            (.text("d"), .delete), (.delete, .delete), (.text("n"), .add), (.text("?"), .help),
            (.escape, .back), (.text("q"), .quit),
        ]
        for (key, command) in keys { #expect(BooksCommand(key, page: 7) == command) }
        #expect(BooksCommand(.paste("dy"), page: 7) == nil)
    }

    @Test func `a card has keys to reveal it and to answer`() {
        let keys: [(Key, StudyCommand)] = [
            (.text(" "), .reveal), (.enter, .reveal), (.text("k"), .answer(isKnown: true)),
            (.text("y"), .answer(isKnown: true)), (.right, .answer(isKnown: true)),
            (.text("u"), .answer(isKnown: false)), (.text("n"), .answer(isKnown: false)),
            (.left, .answer(isKnown: false)), (.text("?"), .help), (.escape, .back),
            (.text("q"), .quit),
        ]
        for (key, command) in keys { #expect(StudyCommand(key) == command) }
        #expect(StudyCommand(.text("x")) == nil)
    }

    @Test func `while a book is added, all keys but a few are text`() {
        #expect(NameCommand(.enter) == .goOn)
        #expect(NameCommand(.escape) == .leave)
        #expect(NameCommand(.text("q")) == .edit(.text("q")))
        #expect(CardsCommand(.control("d")) == .add)
        #expect(CardsCommand(.escape) == .goBack)
        #expect(CardsCommand(.enter) == .edit(.enter))
        #expect(CardsCommand(.tab) == .edit(.tab))
        #expect(CardsCommand(.paste("a\tb")) == .edit(.paste("a\tb")))
    }

    @Test func `the hints offer only keys that have an effect`() {
        func labels(_ hints: [Hint]) -> [String] { hints.map(\.label) }
        #expect(labels(BooksHints.all(count: 0)) == ["n", "?", "q"])
        #expect(labels(BooksHints.all(count: 1)) == ["enter", "d", "n", "?", "q"])
        #expect(labels(BooksHints.all(count: 2)) == ["enter", "d", "J K", "n", "?", "q"])
        #expect(labels(NameCommand.hints(canGoOn: true)) == ["enter", "esc"])
        #expect(labels(NameCommand.hints(canGoOn: false)) == ["esc"])
        #expect(labels(CardsCommand.hints(canAdd: true)).first == "ctrl-d")
        #expect(labels(CardsCommand.hints(canAdd: false)).first == "tab")
        var state = StudyState()
        #expect(labels(StudyHints.all(state)) == ["esc", "?", "q"])
        state.apply(.card(front: "a", position: 1, of: 1, back: nil))
        #expect(labels(StudyHints.all(state)).first == "space")
        state.apply(.card(front: "a", position: 1, of: 1, back: "b"))
        #expect(labels(StudyHints.all(state)).prefix(2) == ["k", "u"])
    }
}
