import Glibc
import TestSupport
import Testing

extension BusFixture {
    /// A daemon that keeps its games in the folder: a later one serves them again.
    static func keepingGames(in folder: Folder) throws -> BusFixture {
        try BusFixture(in: folder, options: ["--state", folder("state")])
    }

    /// Creates the next game, of Ann at home and Bo.
    ///
    /// - Parameters:
    ///   - home: the name of the home team, as it stands in a JSON string.
    ///   - rules: more members of the event.
    func createGame(home: String = "Owls", rules: String = "") throws {
        let home = #"{"name":"\#(home)","players":["Ann"]}"#
        let away = #"{"name":"Jets","players":["Bo"]}"#
        try send("games", "createGame", #"{"home":\#(home),"away":\#(away)\#(rules)}"#)
    }

    /// Runs `viewctl send`, which must succeed.
    func send(_ words: String...) throws {
        #expect(try folder.viewctl(["send"] + words).outcome().status == 0)
    }

    /// Kills the daemon.
    func kill() throws {
        daemon.signal(SIGKILL)
        _ = try daemon.outcome()
    }
}

extension Folder {
    /// Starts viewctl for the daemon of this folder, which may not run yet.
    func viewctl(_ words: [String]) throws -> Child {
        try Child(
            [try Products.path("viewctl")] + words, environment: ["BUSD_SOCKET": self("busd.sock")])
    }
}
