import BusdBooksEvents
import BusdProtocol
import BusdScreens
import BusdTerminal
import Testing

@testable import books

@Suite struct KeysTests {
    @Test func `The library has keys to choose, move, study, add and delete`() {
        let keys: [(Key, BooksCommand)] = [
            (.up, .choose(by: -1)), (.text("j"), .choose(by: 1)), (.pageDown, .choose(by: 7)),
            (.shiftUp, .move(by: -1)), (.text("K"), .move(by: -1)), (.shiftDown, .move(by: 1)),
            (.text("J"), .move(by: 1)), (.enter, .study), (.text(" "), .study),
            (.text("c"), .cards), (.text("r"), .rename), (.text("u"), .restore),
            (.text("d"), .delete), (.delete, .delete), (.text("n"), .add), (.text("?"), .help),
            (.escape, .back), (.text("q"), .quit),
        ]
        for (key, command) in keys { #expect(BooksCommand(key, page: 7) == command) }
        #expect(BooksCommand(.paste("dy"), page: 7) == nil)
    }

    @Test func `A card has keys to reveal it and to answer`() {
        let keys: [(Key, StudyCommand)] = [
            (.text(" "), .reveal), (.enter, .reveal), (.text("k"), .answer(isKnown: true)),
            (.text("y"), .answer(isKnown: true)), (.right, .answer(isKnown: true)),
            (.text("u"), .answer(isKnown: false)), (.text("n"), .answer(isKnown: false)),
            (.left, .answer(isKnown: false)), (.text("?"), .help), (.escape, .back),
            (.text("q"), .quit), (.up, .scroll(lines: -1)), (.scrollDown, .scroll(lines: 1)),
            (.pageUp, .turn(pages: -1)), (.pageDown, .turn(pages: 1)), (.text("e"), .edit),
            (.text("c"), .cards),
        ]
        for (key, command) in keys { #expect(StudyCommand(key) == command) }
        #expect(StudyCommand(.text("x")) == nil)
    }

    @Test func `The list of cards has keys to choose, change, add, move, remove and search`() {
        let keys: [(Key, BookCardsCommand)] = [
            (.up, .choose(by: -1)), (.text("j"), .choose(by: 1)), (.pageDown, .choose(by: 7)),
            (.text("K"), .move(by: -1)), (.shiftDown, .move(by: 1)), (.enter, .edit),
            (.text("e"), .edit), (.text("n"), .add), (.text("d"), .remove), (.delete, .remove),
            (.text("z"), .undo), (.backspace, .undo), (.text("/"), .search), (.text("?"), .help),
            (.escape, .back), (.text("q"), .quit),
        ]
        for (key, command) in keys { #expect(BookCardsCommand(key, page: 7) == command) }
        #expect(BookCardsCommand(.text("x"), page: 7) == nil)
        #expect(CardEditorCommand(.control("d")) == .save)
        #expect(CardEditorCommand(.escape) == .cancel)
        #expect(CardEditorCommand(.tab) == .otherSide)
        #expect(CardEditorCommand(.backTab) == .otherSide)
        #expect(CardEditorCommand(.enter) == .edit(.enter))
        #expect(RenameCommand(.enter) == .save)
        #expect(RenameCommand(.escape) == .cancel)
        #expect(RenameCommand(.text("q")) == .edit(.text("q")))
    }

    @Test func `While a book is added, all keys but a few are text`() {
        #expect(NameCommand(.enter) == .goOn)
        #expect(NameCommand(.escape) == .leave)
        #expect(NameCommand(.text("q")) == .edit(.text("q")))
        #expect(CardsCommand(.control("d")) == .add)
        #expect(CardsCommand(.escape) == .goBack)
        #expect(CardsCommand(.enter) == .edit(.enter))
        #expect(CardsCommand(.tab) == .edit(.tab))
        #expect(CardsCommand(.paste("a\tb")) == .edit(.paste("a\tb")))
    }

    @Test func `The hints offer only keys that have an effect`() {
        func labels(_ hints: [Hint]) -> [String] { hints.map(\.label) }
        #expect(labels(BooksHints.all(count: 0)) == ["n", "?", "q"])
        #expect(labels(BooksHints.all(count: 1)) == ["enter", "c", "r", "d", "n", "?", "q"])
        #expect(
            labels(BooksHints.all(count: 2)) == ["enter", "c", "r", "d", "J K", "n", "?", "q"])
        #expect(
            labels(BooksHints.all(count: 2, isDeleted: true)) == ["u", "J K", "n", "?", "q"])
        #expect(labels(NameCommand.hints(canGoOn: true)) == ["enter", "esc"])
        #expect(labels(NameCommand.hints(canGoOn: false)) == ["esc"])
        #expect(labels(CardsCommand.hints(canAdd: true)).first == "ctrl-d")
        #expect(labels(CardsCommand.hints(canAdd: false)).first == "tab")
        var state = StudyState()
        #expect(labels(StudyHints.all(state)) == ["c", "esc", "?", "q"])
        state.apply(.card(front: "a", position: 1, of: 1, back: nil))
        #expect(labels(StudyHints.all(state)).first == "space")
        #expect(labels(StudyHints.all(state, hasMore: true)).prefix(2) == ["space", "↓"])
        state.apply(.card(front: "a", position: 1, of: 1, back: "b"))
        #expect(labels(StudyHints.all(state)).prefix(3) == ["k", "u", "e"])
        var cards = BookCards()
        #expect(labels(BookCardsCommand.hints(cards)) == ["n", "esc"])
        cards.apply(.cards(cards: [Card(front: "a", back: "b")]))
        cards.apply(.undoable(canUndo: true, at: 0, card: Card(front: "c", back: "d")))
        #expect(
            labels(BookCardsCommand.hints(cards)) == ["e", "d", "J K", "/", "n", "z", "esc"])
    }
}
