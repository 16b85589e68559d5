import BusdProtocol
import TestSupport
import Testing

extension Torture {
    /// A small file system that is full.
    @Suite(.serialized) struct FullDiskTests {
        private let folder: Folder
        private let move = "\"foulMove\""
        private let player = "scoreboard/1/home/1"

        init() throws { folder = try Folder() }

        @Test func `A full disk stops durable sends and nothing else`() throws {
            guard let disk = try DiskFixture(for: folder) else { return }
            let daemon = try DaemonFixture(in: folder, under: disk.words)
            let client = try daemon.connect()
            #expect(try client.ask(Line.createGame("Hawks", key: "create"))?.isDone == true)
            var done = 0
            for time in 1...5 {
                // A refused commit may have freed some space.
                try disk.fill()
                done += try sendUntilRefused(client, "time \(time)")
                try expectService(client, done)
            }

            disk.makeRoom()
            #expect(try client.ask(Line.send(move, to: player, key: "again"))?.isDone == true)
            done += 1
            try expectFouls(done, client)
            daemon.kill()

            let next = try DaemonFixture(in: folder, under: disk.words)
            try expectFouls(done, try next.connect())
            next.stop()
            print(
                "full disk: refused five times, served meanwhile; all \(done) that were done are there"
            )
        }

        @Test func `A daemon that starts on a full disk serves its stored state`() throws {
            guard let disk = try DiskFixture(for: folder) else { return }
            let daemon = try DaemonFixture(in: folder, under: disk.words)
            let client = try daemon.connect()
            #expect(try client.ask(Line.createGame("Hawks", key: "create"))?.isDone == true)
            try disk.fill()
            let done = try sendUntilRefused(client, "first")
            daemon.kill()

            let next = try DaemonFixture(in: folder, under: disk.words)
            let returned = try next.connect()
            try expectFouls(done, returned)
            disk.makeRoom()
            #expect(try returned.ask(Line.send(move, to: player, key: "again"))?.isDone == true)
            try expectFouls(done + 1, returned)
            next.stop()
        }

        /// The first sends succeed, because the log has room that was written before. Returns their
        /// number.
        private func sendUntilRefused(_ client: Client, _ key: String) throws -> Int {
            for number in 0..<2_000 {
                let answer = try client.ask(Line.send(move, to: player, key: "\(key), \(number)"))
                if answer?.isDone == true { continue }
                #expect(answer?.code == .unavailable, "\(String(describing: answer))")
                return number
            }
            throw GaveUp(description: "the disk is never full")
        }

        private func expectService(_ client: Client, _ done: Int) throws {
            let echo = try client.ask(
                #"{"op":"send","to":"echo/a","event":{"say":{"text":"a"}},"id":1}"#)
            #expect(echo?.isDone == true)
            let joining = try Client(folder.socket)
            #expect(try joining.ask("subscribe scoreboard/1/**")?.isDone == true)
            try expectFouls(done, client)
        }

        private func expectFouls(_ count: Int, _ client: Client) throws {
            #expect(try Library(client).games["1"]?.counts[0] == [0, 0, 0, 0, count])
        }
    }
}
