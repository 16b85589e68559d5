import TestSupport
import Testing

/// A Redis, and three folders of daemons that share one log in it.
struct HouseFixture {
    let redis: RedisFixture
    let folders: [Folder]

    /// - Parameter settings: of Redis, besides those that a house needs.
    init(_ settings: String...) throws { try self.init(RedisFixture(settings)) }

    init(_ redis: RedisFixture) throws {
        self.redis = redis
        folders = try (0..<3).map { _ in try Folder() }
    }

    /// - Parameters:
    ///   - log: the addresses of Redis; `nil`: the socket of `redis`.
    ///   - credentials: the path of a file with user and password.
    func serve(
        _ place: Int, log: String? = nil, credentials: String? = nil, reports: Bool = false
    ) throws -> BusFixture {
        try BusFixture(
            in: folders[place],
            options: [
                "--state", folders[place]("state"), "--house", "league", "--log",
                log ?? "unix:\(redis.socket)", "--member", "m\(place)",
            ] + (credentials.map { ["--log-credentials", $0] } ?? []), reports: reports)
    }

    let createGame =
        #"{"op":"send","to":"games","id":1,"key":"k","event":{"createGame":{"home":{"name":"A","#
        + #""players":["a","b","c"]},"away":{"name":"B","players":["d","e","f"]}}}}"#
    let move =
        #"{"op":"send","to":"scoreboard/1/home/1","event":"twoPointMove","id":1}"#

    /// Repeats a send until the daemon follows the house and accepts it.
    func send(_ line: String, _ bus: BusFixture) throws {
        try eventually("a daemon that follows the house") {
            try ask(line, bus)
        } is: { answer in
            if answer.hasPrefix(#"{"ok":{"#) { return true }
            try #require(answer == "" || answer.contains("unavailable"), "\(answer)")
            return false
        }
    }

    /// Waits until `bus/house` has a state that begins like this.
    func expectState(_ state: String, _ bus: BusFixture) throws {
        try expect(#""state":"\#(state)"#, inAnswerTo: "get bus/house", bus)
    }

    /// Waits until `bus/house` has this text.
    func expectReason(_ text: String, _ bus: BusFixture) throws {
        try expect(text, inAnswerTo: "get bus/house", bus)
    }

    /// Waits until the daemon shows a score.
    func expectScore(_ score: String, _ bus: BusFixture) throws {
        try expect(
            #""text":"\#(score)""#, inAnswerTo: #"{"op":"get","to":"scoreboard/1","id":1}"#, bus)
    }

    /// Waits until daemons have asked Redis so often how it is.
    func expectHeartbeats(_ count: Int) throws {
        func asked() throws -> Int {
            let counts = try run(["INFO", "commandstats"])
            let found = try #require(counts.firstMatch(of: #/cmdstat_role:calls=(\d+)/#))
            return try #require(Int(found.1))
        }
        let before = try asked()
        // The first may have been asked before.
        try eventually("\(count) heartbeats", asked) { $0 > before + count }
    }

    /// Waits until an answer contains a text.
    func expect(_ text: String, inAnswerTo request: String, _ bus: BusFixture) throws {
        try eventually(text) {
            try ask(request, bus)
        } is: {
            $0.contains(text)
        }
    }

    /// The answer; empty while the daemon starts again.
    private func ask(_ line: String, _ bus: BusFixture) throws -> String {
        do {
            let answer = try bus.connect().ask(line) ?? ""
            return answer.hasPrefix(#"{"bye""#) ? "" : answer
        } catch is Conversation.NotThere {
            return ""
        } catch is Conversation.Closed {
            return ""
        }
    }

    /// Begins the house again with the store of a stopped daemon.
    func restore(_ place: Int) throws {
        let words = [
            try Products.path("busd"), "house", "restore", "--state", folders[place]("state"),
            "--log", "unix:\(redis.socket)",
        ]
        let restored = try Child(words).outcome()
        #expect(restored.status == 0 && restored.errors.isEmpty, "\(restored)")
    }

    /// Runs a command of Redis, such as `["CONFIG", "SET", "maxmemory", "1"]`. Returns its output.
    @discardableResult
    func run(_ words: [String], at other: RedisFixture? = nil) throws -> String {
        let socket = (other ?? redis).socket
        let outcome = try Child(["redis-cli", "-s", socket] + words).outcome()
        #expect(outcome.status == 0 && !outcome.output.contains("ERR"), "\(words): \(outcome)")
        return outcome.output
    }
}
