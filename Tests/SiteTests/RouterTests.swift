import BusdHTTP
import BusdProtocol
import Testing

@testable import BusdSite

struct RouterTests {
    /// One page, at `/a`.
    private final class OnePage: SitePages {
        struct A: SitePage {
            let isLarge: Bool

            var address: Address? { nil }
            var stream: PageStream { .requests([]) }

            func load(for visitor: () -> Visitor, _ done: @escaping (PageAnswer) -> Void) {}
        }

        func page(at path: String, query: [String]) -> (any SitePage)? {
            path == "/a" ? A(isLarge: query == ["large"]) : nil
        }
    }

    private let asset = Asset(style: [], name: "a")

    private func route(_ path: String, query: [String] = []) -> Route? {
        Router(pages: [OnePage()], assets: [asset]).route(path, query: query)
    }

    @Test func `Each path of the site has its route`() throws {
        guard case .page(let page) = route("/a", query: ["large"]),
            case .stream = route("/stream/a"),
            case .pairing = route("/pair"), case .sending = route("/send"),
            case .module = route("/page.js"), case .asset(asset) = route(asset.path)
        else {
            Issue.record("a path has another route")
            return
        }
        #expect((page as? OnePage.A)?.isLarge == true)
    }

    @Test(arguments: [
        "", "/", "/b", "/a/", "/stream", "/stream/", "/stream/pair", "/stream/stream/a",
        "/assets/a",
    ])
    func `There is nothing at a path without a page`(path: String) {
        #expect(route(path) == nil)
    }

    @Test func `A file is found by the name with its hash, and by no other`() {
        for asset in Assets.all {
            guard case .asset(asset) = Router(pages: [], assets: Assets.all).route(asset.path)
            else {
                Issue.record("\(asset.path)")
                continue
            }
        }
        #expect(Router(pages: [], assets: Assets.all).route("/assets/page.css") == nil)
    }

    @Test func `Values are at the address of their view model, but not those of the bus`() {
        #expect(ValuePages.address(in: "/view/a/b") == .literal("a/b"))
        for path in ["/view/", "/view/bus", "/view/bus/views", "/view/a/*", "/a", "/view"] {
            #expect(ValuePages.address(in: path) == nil, "\(path)")
        }
    }
}
