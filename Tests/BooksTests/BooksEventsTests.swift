import BusdBooksEvents
import BusdProtocol
import Testing

@Suite struct BooksEventsTests {
    @Test func `An event that edits a list names the event with the list`() {
        func edits<Event: WireEvent>(_ type: Event.Type) -> [String: String] {
            EventDescription.all(of: type).reduce(into: [:]) { $0[$1.name] = $1.edits }
        }
        #expect(edits(Books.ViewModelEvent.self) == ["booksEdited": "books"])
        #expect(edits(Cards.ViewModelEvent.self) == ["cardsEdited": "cards"])
    }

    @Test func `A card knows the number of its bytes`() {
        let card = Card(front: "é", back: "")
        var out = JSONWriter()
        card.write(to: &out)
        #expect(card.knownBytes == out.bytes.count)
    }

    @Test func `Drafts are compared by their bytes`() {
        let names = ["\u{E9}", "e\u{301}"].map { BookCreator.ViewModelEvent.name(text: $0) }
        #expect(names[0] == names[0] && names[0] != names[1])
        for (place, event) in BookCreator.ViewModelEvent.examples.enumerated() {
            for (other, example) in BookCreator.ViewModelEvent.examples.enumerated() {
                #expect((event == example) == (place == other))
            }
        }
    }
}
