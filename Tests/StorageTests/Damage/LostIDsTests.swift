import BusdProtocol
import Glibc
import TestSupport
import Testing

@testable import BusdStorage

/// A store without store.ids, and without other files too.
@Suite struct LostIDsTests {
    private static let gap = 1 << 20

    private func expectNewID(_ folder: Folder, above highest: Int, _ problem: String) throws {
        let daemon = try StoreFixture(folder)
        #expect(daemon.findings.contains("\(folder.ids) \(problem)"))
        #expect(daemon.findings.count { $0.contains("ids of tally continue after") } == 1)
        #expect(!daemon.findings.contains { $0.contains("ids of secret") })
        try daemon.create("new")
        let number = daemon.tallies.ids.last?.number ?? 0
        #expect(number > highest + Self.gap && number < highest + 2 * Self.gap)
        let all = daemon.all
        daemon.close()
        let again = try StoreFixture(folder)
        #expect(again.findings == [] && again.all == all)
    }

    @Test(arguments: ["is damaged", "is missing"])
    func `Without store.ids, ids continue behind a gap`(problem: String) throws {
        let folder = try DamageFixture.made.get().folder()
        if problem.isExactly("is damaged") {
            try write([7], to: folder.ids)
        } else {
            unlink(folder.ids)
        }
        #expect(try Store.check(folder: folder.path).first == "\(folder.ids) \(problem)")
        try expectNewID(folder, above: 5, problem)
    }

    /// The states are as of the creation of the first tally.
    @Test func `Without store.ids and the end of the log, no id is reused`() throws {
        let folder = try Folder()
        let daemon = try StoreFixture(folder)
        try daemon.create("saved")
        try daemon.set("text", of: "me")
        try daemon.saveStates().get()
        for number in 1...20 { daemon.tallies.create(Tally.Seed(name: "\(number)")) }
        try daemon.settle()
        let killed = try folder.copy()
        for path in [killed.wal, killed("state.sqlite-wal")] { unlink(path) }
        try write([7], to: killed.ids)
        try expectNewID(killed, above: 1, "is damaged")
    }

    @Test func `A backup that is put back into an empty folder has no gap`() throws {
        let folder = try DamageFixture.made.get().folder()
        let other = try Folder()
        try Store.backup(folder: folder.path, to: other("store.sqlite"))
        let daemon = try StoreFixture(other)
        try daemon.create("new")
        #expect(daemon.all == DamageFixture.all + ["6 new []"])
    }
}
