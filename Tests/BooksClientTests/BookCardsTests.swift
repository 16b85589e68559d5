import BusdBooksEvents
import BusdProtocol
import BusdScreens
import BusdScreensTestSupport
import BusdTerminal
import TestSupport
import Testing

@testable import books

/// The list of the cards of a book.
@Suite(.showsScreens) struct BookCardsTests {
    private func card(_ text: String) -> Card { Card(front: text, back: "back of \(text)") }

    private func state(_ fronts: String...) -> BookCards {
        var state = BookCards()
        state.apply(.name(text: "Kanji"))
        state.apply(.cards(cards: fronts.map(card)))
        state.apply(.undoable(canUndo: false))
        return state
    }

    @Test func `The choice stays on its card while others are changed`() {
        var state = state("a", "b", "c")
        state.choose(1)
        state.apply(.cardsEdited(edits: [.insert(at: 0, row: card("d")), .delete(at: 1)]))
        #expect(state.chosenCard == card("b"))
        state.apply(.cardsEdited(edits: [.move(from: 1, to: 0), .update(at: 0, row: card("B"))]))
        #expect(state.chosenCard == card("B"))
        state.apply(.cardsEdited(edits: [.delete(at: 0)]))
        #expect(state.chosenCard == card("d"))
        state.apply(.cardsEdited(edits: [.delete(at: 1), .delete(at: 0)]))
        #expect(state.chosenCard == nil)
        state.apply(.cardsEdited(edits: [.delete(at: 0)]))
        #expect(state.isKnown)
    }

    @Test func `A card that this screen adds is chosen when it arrives`() {
        var state = state("a", "b", "c")
        let place = state.placeOfNew()
        #expect(place == 1)
        state.apply(.cardsEdited(edits: [.insert(at: 1, row: card("d"))]))
        #expect(state.chosenCard == card("d"))
        state.apply(.cardsEdited(edits: [.insert(at: 1, row: card("e"))]))
        #expect(state.chosenCard == card("d"))
        var empty = BookCards()
        let first = empty.placeOfNew()
        #expect(first == 0)
    }

    @Test func `A place that was chosen before the cards arrive is kept`() {
        var state = BookCards()
        state.choose(2)
        state.apply(.name(text: "Kanji"))
        state.apply(.cards(cards: [card("a"), card("b"), card("c")]))
        #expect(state.chosenCard == card("c"))
        state.choose(7)
        #expect(state.chosenCard == card("c"))
    }

    @Test func `A search shows the cards with a text on either side, in either case`() {
        var state = state("Water", "fire", "WATERFALL", "Ärger")
        state.search = Search("water")
        #expect(state.shown == [0, 2])
        state.choose(by: 1)
        #expect(state.chosen == 2)
        state.apply(.cardsEdited(edits: [.insert(at: 0, row: card("steam"))]))
        #expect(state.shown == [1, 3])
        #expect(state.chosenCard == card("WATERFALL"))
        state.search = Search("back of fi")
        #expect(state.chosenCard == card("fire"))
        state.search = Search("ÄR")
        #expect(state.chosenCard == card("Ärger"))
        state.search = Search("none")
        #expect(state.chosenCard == nil)
        state.search.clear()
        #expect(state.shown.count == 5)
    }

    @Test func `A card is moved, removed and brought back as it is shown`() {
        let view = BookCardsView()
        let recorder = Recorder(view.output)
        view.moveChosen(by: 1)
        view.undo()
        view.handle(event: .cards(cards: [card("a"), card("b")]))
        view.moveChosen(by: -1)
        #expect(recorder.take() == [])
        view.moveChosen(by: 1)
        view.remove(card("b"), at: 1)
        view.handle(event: .undoable(canUndo: true, at: 1, card: card("b")))
        view.undo()
        #expect(
            recorder.take() == [
                .moveCard(at: 0, card: card("a"), to: 1), .removeCard(at: 1, card: card("b")),
                .undo(at: 1, card: card("b")),
            ])
    }

    // MARK: The picture

    private func draw(_ state: BookCards) -> (inout Picture, Area) -> Void {
        { BookCardsPicture(state: state).draw(on: &$0, in: $1) }
    }

    @Test func `Each card is one line, its sides side by side`() {
        var state = state("水", "a\nb", "a front that is long")
        state.choose(1)
        #expect(
            text(60, 7, draw(state)) == """
                    Kanji  2 of 3

                     1  水                    back of 水
                  ▸  2  a b                   back of a b
                     3  a front that is long  back of a front that is long

                """)
    }

    @Test func `A search is shown below the cards that it finds`() {
        var state = state("water", "fire", "waterfall")
        state.search = Search("water")
        state.search.open()
        let picture = picture(40, 7, draw(state))
        #expect(
            picture.frame.text == """
                  Kanji  1 of 2 found

                ▸  1  water          back of water
                   3  waterfall      back of waterfall


                  /water
                """ + "\n")
        #expect(picture.frame.cursor == Point(column: 8, row: 6))
        #expect(picture.touch(at: Point(column: 10, row: 3)) == .row("2"))
        state.search = Search("none")
        #expect(text(40, 7, draw(state)).contains("No card has this text."))
        #expect(text(40, 7, draw(BookCards())).contains("Waiting for the daemon…"))
        #expect(text(40, 7, draw(self.state())).contains("No cards yet: n adds one."))
    }

    @Test func `The cards draw nothing outside their area`() {
        var state = BookCards()
        state.apply(.cards(cards: (1...50).map { card(String(repeating: "水 \($0) ", count: 20)) }))
        state.choose(30)
        var searched = state
        searched.search = Search("水")
        searched.search.open()
        for columns in stride(from: 0, through: 100, by: 5) {
            for rows in 0...25 {
                expectInside(columns, rows, draw(state))
                expectInside(columns, rows, draw(searched))
                expectInside(columns, rows) {
                    CardEditorPicture(
                        title: "Card 1", front: TextArea(String(repeating: "水\n", count: 9)),
                        back: TextArea(String(repeating: "x", count: 99)), isOnBack: true
                    ).draw(on: &$0, in: $1)
                }
            }
        }
    }
}

/// Cards with more lines than their box.
@Suite(.showsScreens) struct CardScrollTests {
    private func card(_ lines: Int, back: Int? = nil, position: Int = 1) -> StudyState.Card {
        func text(_ name: String, _ count: Int) -> String {
            (1...count).map { "\(name) \($0)" }.joined(separator: "\n")
        }
        return StudyState.Card(
            front: text("front", lines), back: back.map { text("back", $0) }, position: position,
            count: 12)
    }

    private let box = Area(Size(columns: 30, rows: 7))

    private func drawn(_ card: StudyState.Card, _ scroll: CardScroll) -> String {
        text(30, 7) { CardPicture(card: card, scroll: scroll).draw(on: &$0.frame, in: $1) }
    }

    @Test func `A long card shows its first lines, and how much is below`() {
        let card = card(9)
        var scroll = CardScroll()
        let layout = CardLayout(card, in: box)
        scroll.show(card, layout)
        #expect(
            drawn(card, scroll)
                == """
                ╭─ card 1 of 12 ─────────────╮
                │          front 1           │
                │          front 2           │
                │          front 3           │
                │          front 4           │
                │          front 5           │
                ╰───────────────── ↓ 6 more ─╯

                """)
        scroll.scroll(by: 100, layout)
        #expect(scroll.below(layout) == 0)
        #expect(drawn(card, scroll).contains(" ↑ 6 "))
        #expect(drawn(card, scroll).contains("?"))
        scroll.scroll(by: -100, layout)
        #expect(scroll.offset == 0)
    }

    @Test func `Space turns a page first, and reveals when it is pressed again`() {
        let card = card(20)
        let layout = CardLayout(card, in: box)
        var scroll = CardScroll()
        scroll.show(card, layout)
        let turns = [scroll.turnsOver(layout), scroll.turnsOver(layout)]
        #expect(turns == [false, true])
        #expect(scroll.offset == 4)
    }

    @Test func `Space reveals a card whose front was shown whole, also in parts`() {
        for count in [1, 4, 5] {
            let card = card(count)
            var scroll = CardScroll()
            scroll.show(card, CardLayout(card, in: box))
            let turnsOver = scroll.turnsOver(CardLayout(card, in: box))
            #expect(turnsOver)
        }
        let card = card(9)
        let layout = CardLayout(card, in: box)
        var scroll = CardScroll()
        scroll.show(card, layout)
        scroll.scroll(by: 4, layout)
        scroll.scroll(by: -4, layout)
        let turnsOver = scroll.turnsOver(layout)
        #expect(turnsOver)
        #expect(scroll.offset == 0)
    }

    @Test func `A revealed card shows its back, and the next card its beginning`() {
        var scroll = CardScroll()
        let hidden = card(9)
        scroll.show(hidden, CardLayout(hidden, in: box))
        let revealed = card(9, back: 8)
        scroll.show(revealed, CardLayout(revealed, in: box))
        #expect(scroll.offset == 9)
        #expect(drawn(revealed, scroll).contains("back 4"))
        scroll.scroll(by: -2, CardLayout(revealed, in: box))
        scroll.show(revealed, CardLayout(revealed, in: box))
        #expect(scroll.offset == 7)
        let next = card(9, position: 2)
        scroll.show(next, CardLayout(next, in: box))
        #expect(scroll.offset == 0)
    }
}
