import BusdProtocol
import BusdScreens
import Testing

@testable import scoreboard

@Suite struct SettingsTests {
    private func settings(_ words: String...) throws -> Settings {
        guard case .run(let settings) = try Settings.read(words) else { throw Unexpected() }
        return settings
    }

    private struct Unexpected: Error {}

    @Test func `A game is named by its number or its address`() throws {
        #expect(try settings("4").game == .literal("scoreboard/4"))
        #expect(try settings("scoreboard/4").game == .literal("scoreboard/4"))
        #expect(try settings().game == nil)
    }

    @Test(arguments: [
        ["x"], [""], ["games"], ["scoreboard"], ["scoreboard/1/home/1"], ["1", "2"],
        ["--view", "x"],
        ["--timeout", "-1"], ["--draft", "a/b"], ["--draft", ""], ["--once", "--until-finished"],
        ["--socket", ""], ["--nonsense"],
    ])
    func `Invalid arguments are a usage error`(words: [String]) {
        #expect(throws: (any Error).self) { try Settings.read(words) }
    }

    @Test func `A draft is private unless it is given a name`() throws {
        let own = try settings().draft
        #expect(!own.isShared)
        #expect(own.address.text.hasPrefix("game-creator/pid-"))
        let shared = Draft(address: .literal("game-creator/table-2"), isShared: true)
        #expect(try settings("--draft", "table-2").draft == shared)
    }

    @Test func `Help and version are shown`() throws {
        for word in ["--help", "--version"] {
            guard case .show(let text) = try Settings.read([word]) else { throw Unexpected() }
            #expect(text.contains("scoreboard"))
            #expect(text.hasSuffix("\n"))
            #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 })
        }
    }

    @Test func `An option that prints implies plain output`() throws {
        #expect(try settings("--plain").client.isPlain)
        #expect(try settings("--once").client.isPlain)
        #expect(try settings("--until-finished").client.isPlain)
        #expect(try settings("--timeout", "0.5").client.timeout == .milliseconds(500))
        #expect(try settings("--view", "content").parts == .content)
    }
}
