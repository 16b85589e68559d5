import BusdOptions
import Testing

@testable import scoreboard

@Suite struct ExportTests {
    private func refusal(_ words: [String]) throws -> String? {
        guard case .run(let arguments) = try Settings.program.parse(["export"] + words) else {
            return nil
        }
        do {
            _ = try Export(arguments)
            return nil
        } catch {
            return error.description.split(separator: "\n").first.map(String.init)
        }
    }

    @Test(arguments: [["1", "--csv"], ["scoreboard/1", "--json"], ["--all", "--csv"]])
    func `The verb export takes the number or the address of a game, or --all`(
        words: [String]
    ) throws {
        #expect(try refusal(words) == nil)
    }

    @Test(arguments: [
        (
            ["a/b"],
            "scoreboard export: a game is a number such as 4, or an address such as scoreboard/4"
        ),
        (
            ["scoreboard/1/home/1", "--csv"],
            "scoreboard export: a game is a number such as 4, or an address such as scoreboard/4"
        ),
        ([], "scoreboard export: export needs a GAME, or --all"),
        (
            ["scoreboard/1", "--all", "--csv"],
            "scoreboard export: --all exports all games: leave out GAME"
        ),
        (["--all"], "scoreboard export: games are exported with --csv or --json"),
        (
            ["scoreboard/1", "--csv", "--json"],
            "scoreboard export: --csv and --json exclude each other"
        ),
        (
            ["scoreboard/1", "--json", "--escape-formulas"],
            "scoreboard export: --escape-formulas needs --csv"
        ),
    ])
    func `A wrong use of the verb export is a usage error`(words: [String], text: String) throws {
        #expect(try refusal(words) == text)
    }
}
