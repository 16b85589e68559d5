import BusdProtocol
import BusdScreens
import Testing

@testable import books

@Suite struct SettingsTests {
    private func settings(_ words: String...) throws -> Settings {
        guard case .run(let settings) = try Settings.read(words) else { throw Unexpected() }
        return settings
    }

    private struct Unexpected: Error {}

    @Test func `A book is named by its number or its address`() throws {
        #expect(try settings("3").book == .literal("study/3"))
        #expect(try settings("study/3").book == .literal("study/3"))
        #expect(try settings().book == nil)
    }

    @Test(arguments: [
        ["x"], [""], ["books"], ["study"], ["study/1/2"], ["1", "2"], ["--creator", "a/b"],
        ["--creator", ""], ["--timeout", "-1"], ["--socket", ""], ["--nonsense"],
    ])
    func `Invalid arguments are a usage error`(words: [String]) {
        #expect(throws: (any Error).self) { try Settings.read(words) }
    }

    @Test func `The terminals of one user share a draft`() throws {
        #expect(try settings().creator == settings().creator)
        #expect(try settings().creator.isBelow(.literal("book-creator")))
        #expect(try settings("--creator", "us").creator == .literal("book-creator/us"))
    }

    @Test func `Help and version are shown`() throws {
        for word in ["--help", "--version"] {
            guard case .show(let text) = try Settings.read([word]) else { throw Unexpected() }
            #expect(text.contains("books"))
            #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 })
        }
    }

    @Test func `An option that prints implies plain output`() throws {
        #expect(try settings("--plain").client.isPlain)
        #expect(try settings("--once").client.isPlain)
        #expect(try settings("--once").isOnce)
    }
}
