import BusdProtocol
import BusdSiteTestSupport
import TestSupport
import Testing

@testable import BusdSite

@Suite(.showsScreens) struct PagesEscapingTests {
    @Test func `No text of a page becomes a tag, an attribute, a script or a foreign link`() throws
    {
        try expectSafe { text in
            let event =
                "{\(quoted(text)):{\(quoted(text)):\(quoted(text)),\"list\":[\(quoted(text))]}}"
            let menu = [MenuLink(text, all: text, path: text)]
            let use = PhoneUse(
                purpose: text, title: text, scriptNotice: text, module: Assets.tapsScript,
                opening: { _ in nil }, presence: { _ in nil })
            return [
                ValuesPage(.literal("echo/me"), [try json(event)], menu: menu),
                PairPage([use], menu: menu), PairPage([], menu: []),
                MessagePage(status: 404, title: text, text: text).linked(to: menu),
                MessagePage.noSuchPage([text]).linked(to: []),
            ]
        }
    }

    @Test func `The five escapes are the same in text and in an attribute`() {
        let html: HTML = "<b title=\"\("&<>\"'")\">\("&<>\"'")</b>"
        let escaped = "&amp;&lt;&gt;&quot;&#39;"
        #expect(
            String(decoding: html.bytes, as: UTF8.self) == "<b title=\"\(escaped)\">\(escaped)</b>")
    }
}
