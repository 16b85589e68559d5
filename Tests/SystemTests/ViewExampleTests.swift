import TestSupport
import Testing

/// The views of Examples/Views, with a real daemon.
struct ViewExampleTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    /// Builds the view in C.
    private func program(_ name: String) throws -> String {
        let source = Package.path("Examples/Views/\(name)")
        guard name == "score.c" else { return source }
        try Child.run(
            "sh", "-c",
            "cc -Wall -Wextra -Werror -o '\(folder("score"))' '\(source)' "
                + "$(pkg-config --cflags --libs json-c)"
        ).expect()
        return folder("score")
    }

    @Test(arguments: ["score.py", "score.sh", "score.c"])
    func `A view in another language survives a kill of the daemon`(name: String) throws {
        let first = try BusFixture.keepingGames(in: folder)
        try first.createGame(
            home: #"Ö \"x\""#, rules: #","rules":{"pointsToWin":5,"margin":1}"#)
        let view = try Child(
            [try program(name), "scoreboard/1"], environment: ["BUSD_SOCKET": first.socket])
        #expect(try view.output.line() == #"Ö "x" 0 - 0 Jets"#)
        try first.send("scoreboard/1/home/1", "twoPointMove")
        #expect(try view.output.line() == #"Ö "x" 2 - 0 Jets"#)
        try first.kill()
        let second = try BusFixture.keepingGames(in: folder)
        try second.send("scoreboard/1/home/1", "twoPointMove")
        #expect(try view.output.line() == #"Ö "x" 4 - 0 Jets"#)
        try second.send("scoreboard/1/home/1", "twoPointMove")
        #expect(try view.output.line() == #"Ö "x" 6 - 0 Jets  final"#)
        try second.send("games", "deleteGame", #"{"game":"1"}"#)
        let outcome = try view.outcome()
        #expect(outcome.status == 1 && outcome.output == "")
        #expect(outcome.errors.hasSuffix("gone\n"))
    }

    @Test func `Each view is short`() throws {
        for (name, most) in ["score.py": 60, "score.sh": 60, "score.c": 120] {
            let text = try Package.text("Examples/Views/\(name)")
            #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count - 1 <= most)
        }
    }
}
