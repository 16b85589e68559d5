import Glibc
import TestSupport
import Testing

/// The views of Examples/Views, with a real daemon.
struct ViewExampleTests {
    private let viewctl: String
    private let folder: Folder

    init() throws {
        viewctl = try Products.path("viewctl")
        folder = try Folder()
    }

    private func serve() throws -> ServedBus {
        try ServedBus(in: folder, options: ["--state", folder("state")])
    }

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
    func `a view in another language survives a kill of the daemon`(name: String) throws {
        let first = try serve()
        let game =
            #"{"home":{"name":"Ö \"x\"","players":["Ann"]},"away":{"name":"Jets","players":["Bo"]},"#
            + #""rules":{"pointsToWin":5,"margin":1}}"#
        #expect(try first.run(viewctl, "send", "games", "createGame", game).status == 0)
        let view = try Child(
            [try program(name), "scoreboard/1"], environment: ["BUSD_SOCKET": folder("busd.sock")])
        #expect(try view.output.line() == #"Ö "x" 0 - 0 Jets"#)
        let move = ["send", "scoreboard/1/home/1", "twoPointMove"]
        #expect(try first.start([viewctl] + move).outcome().status == 0)
        #expect(try view.output.line() == #"Ö "x" 2 - 0 Jets"#)
        first.daemon.signal(SIGKILL)
        _ = try first.daemon.outcome()
        let second = try serve()
        #expect(try second.start([viewctl] + move).outcome().status == 0)
        #expect(try view.output.line() == #"Ö "x" 4 - 0 Jets"#)
        #expect(try second.start([viewctl] + move).outcome().status == 0)
        #expect(try view.output.line() == #"Ö "x" 6 - 0 Jets  final"#)
        #expect(
            try second.run(viewctl, "send", "games", "deleteGame", #"{"game":"1"}"#).status == 0)
        let outcome = try view.outcome()
        #expect(outcome.status == 1 && outcome.output == "")
        #expect(outcome.errors.hasSuffix("gone\n"))
    }

    @Test func `each view is short`() throws {
        for (name, most) in ["score.py": 60, "score.sh": 60, "score.c": 120] {
            let text = try Package.text("Examples/Views/\(name)")
            #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count - 1 <= most)
        }
    }
}
