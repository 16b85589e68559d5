import BusdGamesEvents
import BusdProtocol
import TestSupport
import Testing

@testable import web

@Suite(.showsScreens) struct PagesEscapingTests {
    static let hostile =
        "<img src=x onerror=alert(1)>\"'`&amp;</title></pre></template><script>\u{2028}\u{202E}\u{1}\u{7F}\u{85}"

    /// Every page with the text in each of its texts.
    static func pages(_ text: String) throws -> [any Page] {
        let values = try game(text: text)
        let event = "{\(quoted(text)):{\(quoted(text)):\(quoted(text)),\"list\":[\(quoted(text))]}}"
        let row = Games.Row(
            id: text, address: text, home: text, away: text, score: text, status: .paused)
        return [
            ScorePage(values), ScorePage(values, look: .overlay),
            ScorePage(values, scorer: .scorekeeper(name: text)),
            ScorePage(values, scorer: .other(name: text, pattern: text)),
            GamesPage(rows: [row]), ValuesPage(.literal("echo/me"), [try json(event)]), PairPage(),
            MessagePage(
                status: 404, title: text, text: text, link: .init(text: text, path: text)),
        ]
    }

    /// The tags of a page, in order, without what is in the values of their attributes.
    static func tags(_ page: any Page) -> [String] {
        var tags: [String] = []
        var (isOpen, isQuoted) = (false, false)
        for character in page.markup.unicodeScalars {
            switch character {
            case "<" where !isOpen:
                isOpen = true
                tags.append("")
            case ">" where isOpen && !isQuoted: isOpen = false
            case "\"" where isOpen: isQuoted.toggle()
            default:
                guard isOpen, !isQuoted, let last = tags.indices.last else { continue }
                tags[last].unicodeScalars.append(character)
            }
        }
        return tags
    }

    @Test func `No text of a page becomes a tag or an attribute`() throws {
        for (plain, hostile) in zip(try Self.pages("x"), try Self.pages(Self.hostile)) {
            #expect(Self.tags(hostile) == Self.tags(plain))
        }
    }

    @Test func `No control character reaches a page`() throws {
        for page in try Self.pages(Self.hostile) {
            let controls = page.markup.unicodeScalars.filter {
                $0.properties.generalCategory == .control
            }
            #expect(controls.allSatisfy { $0 == "\n" })
        }
    }

    @Test func `No page has a style, a script or a handler in its markup`() throws {
        for page in try Self.pages("x") {
            #expect(!Self.tags(page).contains { $0.contains(" style=") || $0.contains(" on") })
            #expect(page.markup.ranges(of: "<script").count == 1)
            #expect(page.markup.contains("\"></script>") && !page.markup.contains("<style"))
        }
    }

    @Test func `Every page has a title, a language, a viewport and both colour schemes`() throws {
        for page in try Self.pages("x") {
            let text = page.markup
            #expect(text.contains("<html lang=\"en\">") && !text.contains("<title></title>"))
            #expect(text.contains("name=\"viewport\"") && text.contains("name=\"color-scheme\""))
            #expect(text.contains(Assets.style.link) && text.contains(Assets.script.link))
        }
    }

    @Test func `The five escapes are the same in text and in an attribute`() {
        let html: HTML = "<b title=\"\("&<>\"'")\">\("&<>\"'")</b>"
        let escaped = "&amp;&lt;&gt;&quot;&#39;"
        #expect(
            String(decoding: html.bytes, as: UTF8.self) == "<b title=\"\(escaped)\">\(escaped)</b>")
    }
}
