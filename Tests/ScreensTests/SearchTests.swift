import BusdProtocol
import BusdScreensTestSupport
import BusdTerminal
import Glibc
import TestSupport
import Testing

@testable import BusdScreens

@Suite(.showsScreens) struct SearchTests {
    private func search(_ keys: String) -> Search {
        var search = Search()
        search.open()
        for key in Key.typing(keys) { search.press(key) }
        return search
    }

    @Test func `A search finds a part of one of the texts, in upper or lower case`() {
        #expect(search("aw").finds("Jets", "HAWKS"))
        #expect(search("ÖW").finds("Löwen"))
        #expect(!search("aws").finds("Jets", "Hawks"))
    }

    @Test func `A letter with a mark is found in either form`() {
        #expect(Search("CAF\u{C9}").finds("cafe\u{301}"))
        #expect(Search("cafe\u{301}").finds("un caf\u{E9}"))
        #expect(Search("cafe").finds("cafe\u{301}"))
        #expect(!Search("caf\u{E8}").finds("cafe\u{301}"))
    }

    @Test func `While the field is open, arrows and pages are keys of the list`() {
        var search = search("a")
        for key in [Key.up, .down, .pageUp, .pageDown, .scrollUp, .scrollDown] {
            let isTaken = search.press(key)
            #expect(!isTaken)
        }
        #expect(search == self.search("a"))
        let taken = [search.press(.home), search.press(.enter), search.press(.text("k"))]
        #expect(taken == [true, true, false])
    }

    @Test func `Enter keeps the text and Esc forgets it`() {
        var search = search("ab")
        search.press(.enter)
        #expect(!search.isOpen)
        #expect(!search.isEmpty)
        search.open()
        search.press(.escape)
        #expect(search == Search())
    }

    @Test func `The field is shown while it is open or has a text`() {
        func drawn(_ search: Search) -> Frame {
            picture(8, 1) { search.draw(on: &$0.frame, in: $1) }.frame
        }
        #expect(drawn(Search()).text == "")
        #expect(drawn(search("ab")).text == "/ab\n")
        #expect(drawn(search("ab")).cursor == Point(column: 3, row: 0))
        var closed = search("ab")
        closed.press(.enter)
        #expect(drawn(closed).text == "/ab\n")
        #expect(drawn(closed).cursor == nil)
    }

    @Test func `A key without a command is named if it is text`() {
        #expect(Key.text("x").unknown == "x does nothing here: ? for help")
        #expect(Key.enter.unknown == "this key does nothing here: ? for help")
        #expect(Key.scrollUp.unknown == nil)
    }

    @Test func `A time has the day and the time of day`() {
        var seconds = 1_769_868_309
        var parts = tm()
        gmtime_r(&seconds, &parts)
        #expect(LocalTime(parts).day == "2026-01-31")
        #expect(LocalTime(parts).time == "14:05")
    }
}
