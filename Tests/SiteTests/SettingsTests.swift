import BusdHTTP
import BusdOptions
import Testing

@testable import BusdSite

@Suite struct SettingsTests {
    private func settings(_ words: String...) throws -> Settings {
        guard case .run(let arguments) = try WebProgram().program.parse(words) else {
            throw NotRun()
        }
        return try Settings(arguments, purpose: "send events")
    }

    private struct NotRun: Error {}

    @Test func `Links have the path below which a proxy serves the pages`() throws {
        let name = "score.example.org"
        let address = ListenPlace.network(.usual)
        for (path, url) in [("/court", "/court"), ("/a/b-c", "/a/b-c")] {
            #expect(
                try settings("--name", name, "--path", path).url(at: address)
                    == "https://\(name)\(url)")
        }
        let socket = ListenPlace.unix(path: "/run/web.sock")
        let below = try settings("--name", name, "--path", "/court")
        #expect(below.url(at: socket) == "https://\(name)/court")
        #expect(try settings("--name", name).url(at: address) == "https://\(name)")
    }

    @Test(arguments: ["", "/", "court", "/court/", "//a", "/a b", "/a/../b", "/é", "/a?b", "/a#b"])
    func `A text that is no path of a proxy is refused`(path: String) {
        #expect(throws: UsageError.self) { try settings("--name", "a.example", "--path", path) }
    }

    @Test func `A path needs the name of the proxy`() {
        #expect(throws: UsageError.self) { try settings("--path", "/court") }
    }
}
