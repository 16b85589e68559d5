import BusdScreensTestSupport
import BusdTerminal
import TestSupport
import Testing

@testable import BusdScreens

@Suite(.showsScreens) struct PagesTests {
    private let help = HelpPicture([("space", "start")], others: [("mouse", "click")])

    @Test func `Going back leaves one page at a time, but never the first`() {
        let first = HelpPage(help) { _ in }
        let second = HelpPage(help) { _ in }
        var pages = Pages(first)
        pages.push(second)
        #expect(pages.top === second)
        let popped = [pages.pop(), pages.pop()]
        #expect(popped == [true, false])
        #expect(pages.top === first)
        pages.push(second)
        pages.replace(with: second)
        let goesBack = pages.pop()
        #expect(!goesBack)
    }

    @Test func `The help shows more if there is room`() {
        func drawn(_ rows: Int) -> String { text(20, rows) { help.draw(on: &$0.frame, in: $1) } }
        #expect(drawn(1) == "   space   start\n")
        #expect(drawn(18).hasSuffix("\n   space   start\n\n   mouse   click\n"))
    }
}
