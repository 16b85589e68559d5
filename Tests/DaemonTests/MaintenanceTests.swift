import BusdEventLoop
import BusdHosting
import BusdOptions
import BusdProtocol
import Glibc
import TestSupport
import Testing

@testable import BusdDaemon

@Suite struct MaintenanceTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    /// Makes an empty store.
    private func makeStore() throws {
        try ServerFixture(in: folder, keepsState: true).end()
    }

    private func maintenance(timeout: Int32 = 120_000) throws -> Maintenance {
        try Maintenance(Settings(in: folder, keepsState: true), timeout: timeout)
    }

    private func refusal(_ body: () throws -> Void) -> String? {
        let error = #expect(throws: (any Error).self) { try body() }
        return error.map { "\($0)" }
    }

    @Test func `Maintenance is refused if the state is kept in memory`() throws {
        #expect(
            refusal { _ = try Maintenance(Settings(in: folder)) }
                == ":memory: has no store: name a folder with --state")
    }

    @Test func `A whole store passes a check, and can be served again`() throws {
        try makeStore()
        try maintenance().check()
        try makeStore()
    }

    private func status(_ body: () throws -> Void) -> BusdOptions.ExitStatus? {
        let error = #expect(throws: StartError.self) { try body() }
        return error?.status
    }

    @Test func `A check has different statuses for a missing, a served and a damaged store`() throws
    {
        #expect(status { try maintenance().check() } == .failed)
        let bus = try ServerFixture(in: folder, keepsState: true)
        #expect(status { try maintenance().check() } == .tryAgain)
        bus.kill()
        try damage(folder("state/log.sqlite"))
        #expect(status { try maintenance().check() } == .badInput)
    }

    @Test func `A check reports a missing, a served and a damaged store`() throws {
        #expect(refusal { try maintenance().check() }?.contains("is not there") == true)

        let bus = try ServerFixture(in: folder, keepsState: true)
        #expect(refusal { try maintenance().check() }?.contains("is in use by") == true)
        bus.kill()

        try damage(folder("state/log.sqlite"))
        #expect(refusal { try maintenance().check() }?.contains(folder("state")) == true)
    }

    private func damage(_ path: String) throws {
        let file = Descriptor(file: open(path, O_WRONLY))
        try #require(file.number >= 0)
        #expect(file.write(String(repeating: "?", count: 100)) == .bytes(100))
    }

    // MARK: Copies

    @Test func `A store without a daemon is copied`() throws {
        try makeStore()
        try maintenance().backUp(to: folder("copy"))

        #expect(mode(of: folder("copy")) != nil)
        #expect(mode(of: folder("state/backup.sqlite")) == nil)
    }

    @Test func `A store that is served is copied by its daemon`() throws {
        let bus = try ServerFixture(in: folder, keepsState: true)
        let (maintenance, wanted) = (try maintenance(), folder("copy"))
        #expect(bus.beside { try maintenance.backUp(to: wanted) } == nil)
        #expect(mode(of: folder("copy")) == 0o600)
        #expect(mode(of: folder("state/backup.sqlite")) == nil)
        #expect(bus.logged.lines() == ["testd: a copy of the store has been made"])
        bus.kill()
    }

    @Test func `A store that is served is copied by its daemon, also without its lock`() throws {
        let bus = try ServerFixture(in: folder, keepsState: true)
        try #require(unlink(folder("state/store.lock")) == 0)
        let (maintenance, wanted) = (try maintenance(), folder("copy"))
        #expect(bus.beside { try maintenance.backUp(to: wanted) } == nil)
        #expect(mode(of: folder("copy")) == 0o600)
        #expect(bus.logged.lines() == ["testd: a copy of the store has been made"])
        bus.kill()
    }

    @Test func `A daemon that cannot make a copy reports the reason`() throws {
        let bus = try ServerFixture(in: folder, keepsState: true)
        // A folder that is not empty stays in the way.
        try #require(mkdir(folder("state/backup.sqlite"), 0o700) == 0)
        try #require(mkdir(folder("state/backup.sqlite/x"), 0o700) == 0)
        let (maintenance, wanted) = (try maintenance(), folder("copy"))
        let refusal = bus.beside { try maintenance.backUp(to: wanted) }
        #expect(refusal?.hasPrefix("no copy could be made: \(folder("state"))") == true)
        let logged = bus.logged.lines()
        #expect(logged.count == 1)
        #expect(logged.first?.hasPrefix("testd: no copy of the store could be made: ") == true)
        bus.kill()
    }

    // MARK: Copies of a damaged store

    /// Makes a store in which the hash of a user does not match its checksum.
    private func makeDamagedStore() throws {
        try makeStore()
        let users = try OfflineUsers(in: folder("state"), timeout: 120_000)
        try users.put("the hash", for: "ann")
        users.close()
        let path = folder("state/log.sqlite")
        var bytes = try bytes(of: path)
        let place = try #require(
            bytes.indices.first { bytes[$0...].starts(with: "the hash".utf8) })
        bytes[place] ^= 1
        try replace(path, with: bytes)
    }

    private func bytes(of path: String) throws -> [UInt8] {
        let file = Descriptor(file: open(path, O_RDONLY))
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let transfer = bytes.withUnsafeMutableBytes { file.read(into: $0) }
        guard case .bytes(let count) = transfer else {
            throw StartError("\(path) can't be read")
        }
        return Array(bytes[..<count])
    }

    private func replace(_ path: String, with bytes: [UInt8]) throws {
        let file = Descriptor(file: open(path, O_WRONLY | O_TRUNC))
        #expect(bytes.withUnsafeBytes { file.write($0) } == .bytes(bytes.count))
    }

    @Test func `A damaged store is copied as far as it can be read, and the damage is reported`()
        throws
    {
        try makeDamagedStore()
        let (maintenance, wanted) = (try maintenance(), folder("copy"))
        #expect(status { try maintenance.check() } == .badInput)
        #expect(status { try maintenance.backUp(to: wanted) } == .badInput)
        #expect(mode(of: wanted) == 0o600)
        #expect(folder.names.filter { $0.hasPrefix("copy") } == ["copy"])
    }
}
