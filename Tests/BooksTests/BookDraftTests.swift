import BusdApplicationTestSupport
import BusdBooksEvents
import BusdProtocol
import BusdTestKit
import Testing

@testable import BusdBooks

/// The encoded draft that a planned stop saves and the next daemon restores; and its limits.
@Suite struct BookDraftTests {
    private let books = BooksFixture()

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
    }

    @Test(arguments: ["", "{}", "[]", #"{"home":1}"#])
    func `Bytes that are not a draft are refused`(text: String) throws {
        let book = try books.creator()
        #expect(throws: WireError.self) { try book.restore(Array(text.utf8)) }
        #expect(book.encodedDraft == nil)
    }

    // MARK: Limits

    private let long = String(repeating: "x", count: 1_025)
    private let nameRefusal = Refusal(
        .badEvent, "a name in a draft has at most 1024 bytes (limit draftName)", at: "name")

    private struct Room: HasBooks, HasDrafts {
        let books: Library<Book>
        let drafts: DraftSpace
    }

    private func creator(_ space: DraftSpace) throws -> BookCreatorViewModel {
        BookCreatorViewModel(
            at: try address("book-creator/me"),
            services: Room(books: books.books, drafts: space))
    }

    @Test func `A draft of a book takes 1,024 bytes of a name and a line of cards`() throws {
        let creator = try books.creator()
        #expect(creator.refusal(of: .nameChanged(name: String(long.dropLast()))) == nil)
        #expect(creator.refusal(of: .nameChanged(name: long)) == nameRefusal)
        let cards = String(repeating: "a\tb\n", count: 16_000)
        #expect(creator.refusal(of: .cardsChanged(text: cards)) == nil)
    }

    @Test func `A field is refused while all drafts together have too many bytes`() throws {
        let space = DraftSpace(most: 2_000)
        let refusal = Refusal(
            .overloaded,
            "all drafts together have at most 2000 bytes: empty one (limit drafts)")
        let (first, second) = (try creator(space), try creator(space))
        first.handle(
            .nameChanged(name: String(repeating: "x", count: 1_024)), settling: books.libraries)
        #expect(
            second.refusal(of: .nameChanged(name: String(repeating: "y", count: 977))) == refusal)
        #expect(second.refusal(of: .nameChanged(name: String(repeating: "y", count: 976))) == nil)
        // Cards of 4 bytes in one line count 168 bytes, cards of 6 line ends 1,132.
        second.handle(.cardsChanged(text: "a\tb "), settling: books.libraries)
        #expect(
            second.refusal(of: .cardsChanged(text: String(repeating: "\n", count: 6))) == refusal)
        #expect(second.refusal(of: .cardsChanged(text: "a\tb\n")) == nil)
        // A shorter text is always accepted.
        #expect(first.refusal(of: .nameChanged(name: "")) == nil)
        first.handle(.nameChanged(name: ""), settling: books.libraries)
        #expect(second.refusal(of: .cardsChanged(text: String(repeating: "\n", count: 6))) == nil)
    }
}
