import Glibc
import TestSupport
import Testing

extension Torture {
    /// `busd check` and `busd backup` on a read-only file system, such as a snapshot of a disk.
    @Suite(.serialized) struct ReadOnlyTests {
        private let folder: Folder

        init() throws { folder = try Folder() }

        /// Runs a program while the folder of the store is read-only. `nil` if this cannot be.
        private func run(_ verb: String...) throws -> (isSuccess: Bool, lines: [String])? {
            let own = geteuid() == 0 ? ["-m"] : ["-rm"]
            let script = """
                mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" || exit
                touch "$0/new" || echo read-only
                exec "$@"
                """
            let (isSuccess, lines) = try Spawned.run(
                ["unshare"] + own + ["sh", "-c", script, folder.state]
                    + [try Programs.daemon()] + verb + ["--state", folder.state])
            guard let start = lines.firstIndex(of: "read-only") else {
                print("skipped: no folder can be made read-only: \(lines)")
                return nil
            }
            return (isSuccess, Array(lines[(start + 1)...]))
        }

        @Test(arguments: [false, true])
        func `A read-only store is checked and copied, with its write-ahead log`(
            isKilled: Bool
        ) throws {
            let daemon = try DaemonFixture(in: folder)
            let client = try daemon.connect()
            for number in 1...3 {
                let line = Line.createGame("Hawks", key: "\(number)")
                #expect(try client.ask(line)?.isDone == true)
            }
            guard let served = try run("check") else { return daemon.stop() }
            #expect(!served.isSuccess && served.lines.last?.contains("is in use") == true)
            if isKilled { daemon.kill() } else { daemon.stop() }

            let names = names(in: folder.state)
            #expect(names.contains("log.sqlite-wal") == isKilled)
            let check = try #require(try run("check"))
            #expect(check.isSuccess, "\(check.lines)")
            #expect(check.lines == ["\(folder.state): the store is undamaged"])
            let backup = try #require(try run("backup", folder("copy")))
            #expect(backup.isSuccess, "\(backup.lines)")
            #expect(backup.lines == ["\(folder("copy")): the copy is complete"])
            #expect(names == TestSupport.names(in: folder.state))

            let other = try Folder()
            #expect(mkdir(other.state, 0o700) == 0)
            try write(
                try bytes(of: folder("copy")), to: "\(other.state)/store.sqlite")
            let again = try DaemonFixture(in: other)
            #expect(try Library(try again.connect()).games.count == 3)
            again.stop()
        }
    }
}
