import BusdClient
import BusdProtocol
import TestSupport
import Testing

extension Torture {
    /// Many connections at once. `make siege` measures the same with more connections.
    @Suite(.serialized) struct CrowdTests {
        private let folder: Folder

        init() throws { folder = try Folder() }

        @Test func `Hundreds of connections are answered, and leave no descriptor`() throws {
            let daemon = try DaemonFixture.inMemory(in: folder)
            let witness = try Witness(at: daemon)
            let before = daemon.descriptors
            var clients = try (0..<300).map { _ in try daemon.connect() }
            for client in clients { try client.send("ping") }
            for client in clients {
                try witness.exchange()
                #expect(try client.answer()?.isDone == true)
            }
            #expect(daemon.descriptors == before + 300)
            clients = []
            try witness.exchange { daemon.descriptors == before }
            daemon.stop()
        }

        @Test func `Silent connections do not keep other clients out`() throws {
            let daemon = try DaemonFixture.inMemory(in: folder)
            let witness = try Witness(at: daemon)
            let silent = try (0..<300).map { _ in try daemon.connect() }
            for _ in 0..<20 {
                try witness.exchange()
                #expect(try daemon.connect().ask("ping")?.isDone == true)
            }
            withExtendedLifetime(silent) {}
            daemon.stop()
        }

        /// Clients that connect while the daemon has no descriptors delay no other client.
        @Test func `Without free descriptors, refused clients get a bye, and the log stays short`()
            throws
        {
            let daemon = try DaemonFixture.inMemory(
                in: folder, under: ["sh", "-c", #"ulimit -n 64; exec "$@""#, "sh"])
            let witness = try Witness(at: daemon)
            var clients = try (0..<150).map { _ in try daemon.connect() }
            for client in clients { client.offer(Array("ping\n".utf8)[...]) }
            var (admitted, refused) = (0, 0)
            for client in clients {
                switch try client.line() {
                case .ok: admitted += 1
                case .bye(let code, _):
                    #expect(try code == "overloaded" && client.line() == nil)
                    refused += 1
                case let other: Issue.record("\(String(describing: other))")
                }
                try witness.exchange()
            }
            #expect(admitted > 8 && admitted < 16 && admitted + refused == 150)
            clients = []
            try witness.exchange { try daemon.connect().ask("ping")?.isDone == true }
            _ = try daemon.process.await(until: .now) { _ in false }
            #expect(daemon.process.lines.count <= 5, "\(daemon.process.lines)")
            daemon.stop()
        }

        @Test func `The soft limit of descriptors keeps no client out`() throws {
            let daemon = try DaemonFixture.inMemory(
                in: folder, under: ["sh", "-c", #"ulimit -Sn 64; exec "$@""#, "sh"])
            let clients = try (0..<150).map { _ in try daemon.connect() }
            for client in clients { #expect(try client.ask("ping")?.isDone == true) }
            daemon.stop()
        }

        @Test func `A connection beyond the limit of --connections is refused`() throws {
            let daemon = try DaemonFixture.inMemory(
                in: folder, under: ["sh", "-c", #"exec "$@" --connections 3"#, "sh"])
            var clients = try (0..<3).map { _ in try daemon.connect() }
            for client in clients { #expect(try client.ask("ping")?.isDone == true) }
            let late = try daemon.connect()
            if case .bye(let code, let message)? = try late.line() {
                #expect(code == "overloaded" && message.contains("limit connections"))
            } else {
                Issue.record("the fourth is not refused")
            }
            #expect(try late.line() == nil)
            clients.removeLast()
            #expect(try clients.first?.ask("ping")?.isDone == true)
            daemon.stop()
        }

        @Test func `Descriptors that are passed with a request are closed`() throws {
            let daemon = try DaemonFixture.inMemory(in: folder)
            let witness = try Witness(at: daemon)
            let client = try daemon.connect()
            #expect(try client.ask("ping")?.isDone == true)
            let before = daemon.descriptors
            for _ in 0..<50 {
                // The most that Linux takes in one message.
                client.sendItself(253, along: "ping")
                #expect(try client.answer()?.isDone == true)
                try witness.exchange()
            }
            #expect(daemon.descriptors == before)
            daemon.stop()
        }
    }
}
