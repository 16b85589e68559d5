import BusdProtocol
import BusdSiteTestSupport
import TestSupport
import Testing

@testable import BusdSite

/// The pages that every site has, made of values.
///
/// Only SiteTests, and the tests of a part such as GamesSiteTests, see input that no daemon and no
/// browser sends today: hostile texts in each place of a page, damaged pairings, and links at the
/// second when they end. WebLookingTests and WebScoringTests test both processes over HTTP, and
/// Tests/Web the pages in browsers.
@Suite(.showsScreens) struct PagesTests {
    @Test func `Values are shown as the browser writes them`() throws {
        let event = try json(#"{"v":{"text":"a","list":[1,{"b":[]},null],"none":{}}}"#)
        let text = ValuesPage(.literal("echo/me"), [event], menu: []).markup
        #expect(text.contains("<pre data-value=\"v.text\">a</pre>"))
        #expect(text.contains("[\n  1,\n  {\n    &quot;b&quot;: []\n  },\n  null\n]</pre>"))
        #expect(text.contains("<pre data-value=\"v.none\">{}</pre>"))
    }

    @Test func `Of a long list the beginning alone is rendered`() throws {
        let row = #"{"a":[1,""# + String(repeating: "x", count: 400) + #""]}"#
        let list = "[" + Array(repeating: row, count: 500).joined(separator: ",") + "]"
        let value = try json(list)
        let whole = value.pretty(most: .max)
        #expect(whole.utf8.count > 200_000)
        for most in [0, 1, 2, 3, 7, 100, 65_536] {
            let text = value.pretty(most: most)
            #expect(text.utf8.count > most && text.utf8.count < most + 450)
            #expect(whole.utf8.starts(with: text.utf8.prefix(most)))
        }
        let page = ValuesPage(
            .literal("echo/me"), [try json("{\"v\":{\"list\":\(list)}}")], menu: [])
        #expect(page.markup.contains("cut here"))
    }

    @Test func `Long values are cut with a note and without half a character`() throws {
        let long = String(repeating: "é", count: ValuesPage.mostBytes)
        let event = try json("{\"v\":{\"x\":\"a\",\"text\":\(quoted(long)),\"z\":\"b\"}}")
        let page = ValuesPage(.literal("echo/me"), [event], menu: [])
        #expect(page.html(root: "../").bytes.count < ValuesPage.mostBytes + 4_096)
        #expect(page.markup.contains("cut here") && !page.markup.contains("\u{FFFD}"))
    }

    @Test func `A message says what to do, and links to the parts`() {
        let menu = [
            MenuLink("Orders", all: "All orders"),
            MenuLink("Lists", all: "All lists", path: "lists"),
        ]
        for page in [
            MessagePage.noSuchPage([]), .wrongMethod, .noSuchViewModel, .noDaemon,
        ] {
            let text = page.linked(to: menu).markup
            #expect(text.contains("<p><a href=\"./\">Orders</a> <a href=\"lists\">Lists</a></p>"))
            #expect(text.contains(page.title))
        }
    }

    @Test(arguments: [
        ([], "Check the address. Values are at /view/ADDRESS."),
        (["A is at /a"], "Check the address. A is at /a, and other values at /view/ADDRESS."),
        (
            ["A is at /a", "B is at /b"],
            "Check the address. A is at /a. B is at /b, and other values at /view/ADDRESS."
        ),
    ])
    func `A path without a page is told which paths have one`(hints: [String], text: String) {
        #expect(MessagePage.noSuchPage(hints).markup.contains("<p>\(text)</p>"))
    }

    @Test(arguments: [
        MessagePage.noSuchViewModel, .noDaemon, .tooManyBrowsers, .refused("no"),
    ])
    func `A page without its values tries again`(page: MessagePage) {
        #expect(page.markup.contains("<main class=\"message\" data-reload=\"\(page.status)\">"))
    }

    @Test func `A style sheet loses only spaces that mean nothing`() {
        let style =
            "a, b :is(c > d) { margin: 0 1px; content: \"\"; }\n@media (x: 1) and (y) { a { } }"
        #expect(
            String(decoding: Asset.withoutSpaces(Array(style.utf8)), as: UTF8.self)
                == "a,b :is(c > d){margin:0 1px;content:\"\";}\n@media (x:1) and (y){a{}}")
    }
}
