import BusdApplicationTestSupport
import BusdBooksEvents
import BusdProtocol
import BusdTestKit
import Testing

@testable import BusdBooks

/// Each released action, with its form in the log and its effect. None of these lines may ever
/// change, because every later version reads the logs of earlier ones.
@Suite struct PermanentFormsTests {
    private let forms = StoredThings(now: .seconds(100))

    private static let books: [(action: BookAction, form: String, shown: String)] = [
        (.answer(isKnown: false), #""unknown""#, "0/2 1"),
        (.answer(isKnown: true), #""known""#, "1/2 0"),
        (.add([Card(front: "水\n", back: "")]), #""add 4:水\n0:""#, "1/3 0"),
        (.ask(1), #""ask 1""#, "0/3 1"),
        (.answer(isKnown: true), #""known""#, "1/3 2"),
        (.answer(isKnown: true), #""known""#, "2/3 0"),
        (.answer(isKnown: true), #""known""#, "3/3 nil"),
        (.askAll, #""askAll""#, "0/3 0"),
        (.answer(isKnown: true), #""known""#, "1/3 1"),
    ]

    @Test func `The actions and the state of a book have their permanent form`() throws {
        let books = Library<Book>(forms.libraries)
        books.create(BookSeed(name: try Name("Kanji"), cards: cards(2)))
        forms.libraries.settle()
        for (action, _, shown) in Self.books {
            books.propose(action, to: .first)
            forms.libraries.settle()
            let book = try #require(books[.first])
            let current = book.current.map { "\($0)" } ?? "nil"
            #expect("\(book.knownCount)/\(book.cards.count) \(current)" == shown)
        }
        let creation =
            #"{"create":{"_0":{"name":"Kanji","cards":"7:front 16:back 17:front 26:back 2"}}}"#
        #expect(forms.bodies() == [creation] + Self.books.map(\.form))
        let again: Library<Book> = forms.replayed()
        #expect(again[.first] == books[.first])
        let saved = try forms.states()
        let state = try #require(saved.first { $0.id == "1" })
        #expect(
            String(decoding: state.body, as: UTF8.self)
                == #"{"name":"Kanji","cards":"7:front 16:back 17:front 26:back 24:水\n0:","#
                + #""known":"100","current":1}"#)
        #expect(String(decoding: state.summary, as: UTF8.self) == #"["Kanji",1,3,126]"#)
        let restored: Library<Book> = forms.replayed(saved)
        #expect(restored[.first] == books[.first])
        #expect(restored.summary(of: .first) == books.summary(of: .first))
    }

    private static let watre = Card(front: "水", back: "watre")
    private static let water = Card(front: "水", back: "water")
    private static let fire = Card(front: "火", back: "fire")

    private static let correctionsOfBook: [(action: BookAction, form: String, shown: String)] = [
        (.answer(isKnown: true), #""known""#, "Kanij 1/1 nil 水=watre"),
        (
            .rename(from: "Kanij", to: .literal("Kanji")), #""rename 5:Kanij5:Kanji""#,
            "Kanji 1/1 nil 水=watre"
        ),
        (
            .insert(at: 0, card: fire), #""insert 0 3:火4:fire""#,
            "Kanji 1/2 0 火=fire 水=watre"
        ),
        (
            .change(at: 1, card: watre, to: water), #""change 1 3:水5:watre3:水5:water""#,
            "Kanji 1/2 0 火=fire 水=water"
        ),
        (
            .move(from: 1, card: water, to: 0), #""move 1 0 3:水5:water""#,
            "Kanji 1/2 1 水=water 火=fire"
        ),
        (.takeBack(at: 0, card: watre), #""undo 0 3:水5:watre""#, "Kanji 1/2 1 水=watre 火=fire"),
        (.remove(at: 1, card: fire), #""remove 1 3:火4:fire""#, "Kanji 1/1 nil 水=watre"),
        (.takeBack(at: 1, card: fire), #""undo 1 3:火4:fire""#, "Kanji 1/2 1 水=watre 火=fire"),
        (.delete, #""delete""#, "Kanji 1/2 1 水=watre 火=fire deleted 108000000"),
        (.restore, #""restore""#, "Kanji 1/2 1 水=watre 火=fire"),
        (.remove(at: 0, card: watre), #""remove 0 3:水5:watre""#, "Kanji 0/1 0 火=fire"),
        (.delete, #""delete""#, "Kanji 0/1 0 火=fire deleted 111000000"),
    ]

    @Test func `The corrections of a book have their permanent form`() throws {
        let books = Library<Book>(forms.libraries)
        books.create(BookSeed(name: .literal("Kanij"), cards: [Self.watre]))
        forms.libraries.settle()
        for (action, _, shown) in Self.correctionsOfBook {
            books.propose(action, to: .first)
            forms.libraries.settle()
            #expect(try #require(books[.first]).shown == shown)
            forms.time.move(to: forms.time.now + .seconds(1))
        }
        let creation = #"{"create":{"_0":{"name":"Kanij","cards":"3:水5:watre"}}}"#
        #expect(forms.bodies() == [creation] + Self.correctionsOfBook.map(\.form))
        let again: Library<Book> = forms.replayed()
        #expect(again[.first] == books[.first])
        let saved = try forms.states()
        let state = try #require(saved.first { $0.id == "1" })
        #expect(
            String(decoding: state.body, as: UTF8.self)
                == #"{"name":"Kanji","cards":"3:火4:fire","known":"0","current":0,"#
                + #""correction":{"card":"3:水5:watre","place":0,"known":true},"#
                + #""deleted":111000000}"#)
        #expect(
            String(decoding: state.summary, as: UTF8.self) == #"["Kanji",0,1,[39,40,111000000]]"#)
        let restored: Library<Book> = forms.replayed(saved)
        #expect(restored[.first] == books[.first])
        #expect(restored.summary(of: .first) == books.summary(of: .first))
    }

    @Test(arguments: [0, 1 << 40, 1 << 41, -1])
    func `A count that a sum could overflow is not read`(count: Int) {
        let isCount = 0...(1 << 40) ~= count
        let summary = try? sharedValue(
            BookSummary.self, from: Array(#"["A",1,2,\#(count)]"#.utf8))
        #expect(summary?.cardBytes == (isCount ? count : nil))
    }
}

extension Book {
    /// `Kanji 1/2 0 水=water 火=fire deleted 7`: the name, the number of known cards and of all, the
    /// place of the card that is asked, the cards, and the mark.
    fileprivate var shown: String {
        let current = current.map { "\($0)" } ?? "nil"
        let cards = cards.map { " \($0.front)=\($0.back)" }.joined()
        let mark = deleted.map { " deleted \($0.microseconds)" } ?? ""
        return "\(name.text) \(knownCount)/\(self.cards.count) \(current)\(cards)\(mark)"
    }
}
