import BusdEventLoop
import BusdProtocol
import Glibc
import TestSupport
import Testing

extension Torture {
    /// Fifty views resume while the daemon is restarted several times.
    @Suite(.serialized) struct ResumeTests {
        @Test func `Views resume after restarts, and no event is lost or doubled`() throws {
            var random = Torture.random(for: "resume")
            let folder = try Folder()
            // The sockets outlive the daemon, as with socket activation.
            let sockets = try ListeningSockets(folder.socket)
            var daemon = try sockets.serve(folder)
            let scorer = try daemon.connect()
            #expect(try scorer.ask(Line.createGame("Hawks", key: "create"))?.isDone == true)
            let followers = (0..<50).map { _ in
                Follower(folder.socket, of: "scoreboard/1/home/1")
            }
            var fouls = 0
            for restart in 1...(Torture.rounds ?? 2) {
                for number in 1...20 {
                    fouls += try foul(folder, "\(restart), \(number)")
                    // A view can also lose its connection while the daemon goes on.
                    followers[random.number(0...49)].disconnect()
                    try follow(followers, until: nil, restarts: restart - 1)
                }
                try follow(followers, until: fouls, restarts: restart - 1)
                daemon.process.signal(restart.isMultiple(of: 2) ? SIGTERM : SIGKILL)
                daemon.process.end()
                // The new daemon starts while the views try to connect again.
                daemon = try sockets.serve(folder, isAwaited: false)
                try follow(followers, until: fouls, restarts: restart)
            }
            daemon.stop()
            print(
                "resume: \(Torture.rounds ?? 2) restarts, \(fouls) connections cut;",
                "50 views have all \(fouls) events")
        }

        private func foul(_ folder: Folder, _ key: String) throws -> Int {
            let line = Line.send("\"foulMove\"", to: "scoreboard/1/home/1", key: key)
            let answer = try Client(folder.socket).ask(line)
            #expect(answer?.isDone == true)
            return 1
        }

        /// Lets the views read, and connect again after a loss. With a count, waits until all views
        /// are live and show it.
        private func follow(
            _ followers: [Follower], until fouls: Int?, restarts: Int
        ) throws {
            let deadline = Moment.deadline
            func isCaughtUp(_ follower: Follower) -> Bool {
                follower.client != nil && follower.isLive && follower.restarts == restarts
                    && follower.fouls == fouls
            }
            func once(until moment: Moment) throws {
                for follower in followers where follower.client == nil { try follower.connect() }
                _ = try Client.wait(for: followers.compactMap(\.client), until: moment)
                for follower in followers { try follower.readAvailable() }
            }
            try once(until: .now)
            while fouls != nil, !followers.allSatisfy(isCaughtUp) {
                try once(until: deadline)
                let count = followers.count(where: isCaughtUp)
                try #require(Moment.now < deadline, "\(count) of 50 have come back")
            }
        }
    }
}

/// The two listening sockets, which the test holds as systemd would.
private final class ListeningSockets {
    private let sockets: [Descriptor]
    private let path: String

    init(_ path: String) throws {
        self.path = path
        sockets = try [path, "\(path).view"].map { path in
            let listening = try unixSocket(SOCK_STREAM, at: path)
            try check("listen") { listen(listening.number, 512) }
            return listening
        }
    }

    func serve(_ folder: Folder, isAwaited: Bool = true) throws -> DaemonFixture {
        let script = "LISTEN_PID=$$ LISTEN_FDS=2 LISTEN_FDNAMES=control:view exec \"$@\""
        let daemon = try DaemonFixture(
            starting: folder, under: ["sh", "-c", script, "sh"], passing: sockets)
        if isAwaited { try daemon.awaitReady() }
        return daemon
    }
}
