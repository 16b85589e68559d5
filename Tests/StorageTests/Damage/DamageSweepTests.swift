import BusdProtocol
import Glibc
import TestSupport
import Testing

@testable import BusdGames
@testable import BusdStorage

/// Damages the files of a store, and expects that it starts, that nothing is invented, and that a
/// change of content is reported.
///
/// `BUSD_DAMAGE` is the number of damaged stores, or `all`: every bit of each file.
/// `BUSD_TORTURE_SEED` repeats a run.
@Suite struct DamageSweepTests {
    private static func text(_ variable: String) -> String? {
        getenv(variable).map { String(cString: $0) }
    }
    private static let setting = text("BUSD_DAMAGE")
    private static let count = setting.flatMap { Int($0) } ?? 24
    private static let seed =
        text("BUSD_TORTURE_SEED").flatMap { UInt64($0) } ?? .random(in: 1...999_999)

    /// In memory, if possible: a disk spends most of the time on syncs.
    private static let place = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"

    private let played: PlayedStore
    private var random: SeededGenerator

    init() throws {
        played = try PlayedStore.made.get()
        random = SeededGenerator(seed: Self.seed)
        // Printed first: a fault ends the process.
        print("DamageSweepTests: BUSD_TORTURE_SEED=\(Self.seed)")
    }

    @Test func `A store with a damaged file starts, invents nothing and reports a loss`() throws {
        guard Self.setting == "all" else {
            return try sweep(Self.count)
        }
        for files in [played.killed, played.stopped] {
            for (name, bytes) in files {
                for damage in Damage.bits(of: name, bytes) { try expect([damage], in: files) }
            }
        }
    }

    /// Blocks of ones: the numbers in them lead SQLite astray. Each block only with `BUSD_DAMAGE`.
    @Test(arguments: ["log.sqlite", "state.sqlite"])
    func `A store with a damaged block starts, and loses nothing later`(name: String) throws {
        let bytes = try #require(played.stopped.first { $0.name == name }).bytes
        let step = Self.setting == nil ? 4_096 : 512
        for start in stride(from: 0, to: bytes.count, by: step) {
            let damage = Damage(file: name, change: .block(0xff, at: start))
            try expect([damage], in: played.stopped)
        }
    }

    private func sweep(_ count: Int) throws {
        var random = random
        for number in 0..<count {
            let files = number % 2 == 0 ? played.killed : played.stopped
            let file = files[number / 2 % files.count]
            try expect([.random(of: file.name, file.bytes, using: &random)], in: files)
        }
    }

    @Test func `A store with two damaged files starts, and invents nothing`() throws {
        var random = random
        for number in 0..<(Self.count / 3) {
            let files = number % 2 == 0 ? played.killed : played.stopped
            let pair = files.shuffled(using: &random).prefix(2)
            try expect(
                pair.map { .random(of: $0.name, $0.bytes, using: &random) }, in: files)
        }
    }

    private func expect(_ damages: [Damage], in files: PlayedStore.Files) throws {
        if Self.text("BUSD_DAMAGE_TRACE") != nil { print(damages) }
        let isKilled = files.count == played.killed.count
        let comment = "\(isKilled ? "killed" : "stopped"), \(damages)"
        let folder = try Folder(in: Self.place)
        for (name, bytes) in files {
            let damage = damages.first { $0.file == name }
            guard let bytes = damage.map({ $0.applied(to: bytes) }) ?? bytes else { continue }
            try write(bytes, to: folder(name))
        }
        let findings = checked(folder)
        try expectCopy(of: folder, comment)
        do {
            let daemon = try GamesStoreFixture(folder)
            let values = try daemon.values()
            expectNoInvention(values, comment)
            if damages.count == 1 {
                expectReport(values, daemon.findings, comment)
                expectReport(values, findings, "check, \(comment)")
            }
            // Nothing shows that the end of the log and the note are lost together.
            let mayReuseIDs = damages.allSatisfy {
                $0.file.utf8.suffix(4).elementsEqual("-wal".utf8)
            }
            let used = mayReuseIDs && damages.count == 2 ? 0 : PlayedStore.numberOfGames
            try expectService(daemon, folder, above: used, comment)
        } catch StoreError.tooNew {
            // A damaged version can look like the version of a newer daemon.
        } catch StoreError.unsuitable(_, let reason)
            where damages.count == 2 && reason.contains("another daemon")
        {
            // The id in one file is damaged, and the other file has no header.
        } catch {
            Issue.record("\(comment): \(error)")
        }
    }

    /// The findings of `busd check`, also if they end the check.
    private func checked(_ folder: Folder) -> [String] {
        do throws(StoreError) {
            return try Store.check(folder: folder.path, of: StoreFixture.daemon)
        } catch {
            return ["\(error)"]
        }
    }

    /// If a copy can be made, it is whole, and nothing in it is invented.
    private func expectCopy(of folder: Folder, _ comment: String) throws {
        let other = try Folder(in: Self.place)
        let copy = other("store.sqlite")
        do throws(StoreError) { try Store.backup(folder: folder.path, to: copy) } catch { return }
        #expect(try Store.check(copy: copy) == [], "\(comment)")
        expectNoInvention(try GamesStoreFixture(other).values(), "copy, \(comment)")
    }

    private func expectNoInvention(_ values: [String: String], _ comment: String) {
        for (name, value) in values {
            #expect(played.answered[name]?.contains(value) == true, "\(comment): \(name) \(value)")
        }
    }

    private func expectReport(_ values: [String: String], _ findings: [String], _ comment: String) {
        let changed = played.newest.keys.filter { values[$0] != played.newest[$0] }
        #expect(changed.isEmpty || !findings.isEmpty, "\(comment): \(changed.sorted())")
    }

    /// Expects that a new game has a new id, and that a restart changes nothing.
    private func expectService(
        _ daemon: GamesStoreFixture, _ folder: Folder, above used: Int, _ comment: String
    ) throws {
        let game = try #require(played.newest["game 1"])
        let teams = try sharedValue(Game.self, from: Array(game.utf8))
        daemon.games.create(
            GameSeed(
                Teams(home: teams.home, away: teams.away), created: UTCTime(seconds: 1_790_000_000))
        )
        #expect(try daemon.settle() == [.applied], "\(comment)")
        let id = daemon.games.ids.last?.number ?? 0
        #expect(id > used, "\(comment)")
        let values = try daemon.values()
        daemon.close()
        let again = try GamesStoreFixture(folder)
        let found = try again.values()
        let changed = Set(values.keys).union(found.keys).filter { values[$0] != found[$0] }
        #expect(changed.isEmpty, "\(comment), again: \(changed.sorted()) \(again.findings)")
    }
}
