import BusdClientTestSupport
import BusdHTTP
import BusdOptions
import BusdProtocol
import Glibc
import TestSupport
import Testing

@testable import BusdSite

/// What a part can do on a site, without any application.
@Suite(.showsScreens) struct SitePartTests {
    private let events = #"{"events":[{"dishes":{"list":["soup"]}}]}"#

    private func site(_ values: [Address: String] = [:]) throws -> SiteFixture {
        let site = try SiteFixture(.orders)
        site.values = values
        return site
    }

    @Test func `The site serves the pages and the files of a part, with all its headers`() throws {
        let site = try site([.literal("order/7"): events])
        let page = try site.get("/order/7")
        #expect(page.hasPrefix("HTTP/1.1 200"))
        #expect(page.contains("<main>1 values for a browser</main>"))
        #expect(page.contains("<base href=\"../\">") && page.contains("Cache-Control: no-store"))
        #expect(page.contains("Content-Security-Policy: default-src 'none';"))
        let style = try site.get(OrderPages.style.path)
        #expect(style.contains("Content-Type: text/css") && style.contains("immutable"))
        #expect(style.hasSuffix("b{color:red;}\n"))
    }

    @Test func `The site shows the failures of a part, as the part has them`() throws {
        let site = try site()
        let missing = try site.get("/order/7")
        #expect(missing.hasPrefix("HTTP/1.1 404") && missing.contains("It was served."))
        #expect(missing.contains("<a href=\"./\">Orders</a>"))
        let large = try site.get("/order/7?large")
        #expect(large.hasPrefix("HTTP/1.1 404") && large.contains("<main>nothing</main>"))
        site.daemon.stop()
        let unreachable = try site.get("/order/7")
        #expect(unreachable.hasPrefix("HTTP/1.1 503") && unreachable.contains("busd is not there"))
    }

    @Test func `A path without a page is answered with the way to the parts`() throws {
        let page = try site().get("/nothing")
        #expect(page.hasPrefix("HTTP/1.1 404"))
        #expect(page.contains("An order is at /order/1, and other values at /view/ADDRESS."))
        #expect(page.contains("<a href=\"./\">Orders</a>"))
    }

    @Test func `A page that all browsers share is made of the line that their streams get`() throws
    {
        let site = try site([.literal("orders"): events])
        let line = #"{"dishes":{"list":["soup"]}}"#
        #expect(try site.get("/").contains(":[&quot;soup&quot;]}}</main>"))
        // What the page shows stays until the part shows something else.
        site.values = [.literal("orders"): #"{"events":[{"dishes":{"list":[]}}]}"#]
        #expect(try site.stream("/", until: "data:").contains("data:\(line)\n\n"))
    }

    @Test func `A shared page whose view model is missing says that there is no such page`() throws
    {
        let site = try site()
        for reply in [try site.get("/"), try site.get("/stream/")] {
            #expect(reply.hasPrefix("HTTP/1.1 404") && reply.contains("<h1>No such page</h1>"))
        }
    }

    @Test func `A site without a part has the pages of all view models but the bus`() throws {
        let site = try SiteFixture()
        site.values = [.literal("order/7"): events]
        #expect(try site.get("/view/order/7").contains("soup"))
        #expect(try site.get("/view/bus/views").hasPrefix("HTTP/1.1 404"))
        let first = try site.get("/")
        #expect(first.hasPrefix("HTTP/1.1 404") && first.contains("Values are at /view/ADDRESS."))
        #expect(!first.contains("<a "))
    }

    // MARK: Phones

    @Test func `A phone begins on the page of its part, which knows its name`() throws {
        let pairings = try PairingFixture()
        let site = try SiteFixture(.orders, state: pairings.state)
        site.values = [.literal("order/7"): events]
        let link = try PairingStore(in: pairings.state).create(
            to: try #require(Pattern("order/7")), name: "Ann", lasting: 60, now: time(nil))
        let reply = try site.post("/pair", #"{"link":"\#(link.link.text)"}"#)
        #expect(reply.hasSuffix(#"{"page":"/order/7"}"#))
        let start = try #require(reply.firstRange(of: "Set-Cookie: ")).upperBound
        let cookie = String(reply[start...].prefix { $0 != ";" })
        #expect(try site.get("/order/7", cookie: cookie).contains("values for Ann"))
        #expect(try site.get("/order/7", cookie: "pairing-x=y").contains("for a former phone"))
    }

    @Test func `The page of a link has the words and the module of the part`() throws {
        let page = try site().get("/pair")
        #expect(page.contains("<h1>Serve</h1>") && page.contains("Serving needs JavaScript."))
        #expect(page.contains("data-pair=\"\(OrderPages.module.link)\""))
        #expect(page.contains("<a href=\"./\">All orders</a>"))
    }

    @Test func `Messages and options say what phones can do`() throws {
        let refusal = try site().post("/send", "{}")
        #expect(refusal.contains("phones cannot serve the orders here: start busd-web with"))
        guard case .show(let help) = try WebProgram(.orders).program.parse(["--help"]) else {
            Issue.record("no help")
            return
        }
        let words = help.split { $0.isWhitespace }.joined(separator: " ")
        #expect(words.contains("phones that you pair may serve the orders"))
        #expect(words.contains("print a link with which one phone can serve the orders"))
        #expect(
            [SitePart.orders, .orders].phones.purpose == "serve the orders or serve the orders")
        #expect([PhoneUse]().purpose == "send events")
    }
}
