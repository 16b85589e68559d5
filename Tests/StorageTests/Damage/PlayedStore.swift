import BusdGamesEvents
import BusdProtocol
import Glibc
import TestSupport
import Testing

@testable import BusdGames
@testable import BusdStorage

/// The files of a store with twelve games, after two seconds of play.
///
/// The states and both copies are as of the first second, with eight games. The log has more
/// entries, and a note at its end. A tally was deleted, so the log has gaps.
struct PlayedStore: Sendable {
    typealias Files = [(name: String, bytes: [UInt8])]

    /// As a kill leaves them: with write-ahead logs.
    private(set) var killed: Files = []
    /// As a planned stop leaves them.
    private(set) var stopped: Files = []
    /// Every answered value of each thing.
    private(set) var answered: [String: Set<String>] = [:]
    /// The values at the end.
    private(set) var newest: [String: String] = [:]

    static let made = Result { try PlayedStore() }

    static let numberOfGames = 12

    private init() throws {
        let folder = try Folder()
        let daemon = try GamesStoreFixture(folder)
        try daemon.create("deleted")
        try daemon.add(1)
        try createGames(1...8, daemon)
        try play(daemon, "hush")
        try daemon.delete(1)
        try daemon.saveStates().get()
        for name in ["copy-1.sqlite", "copy-2.sqlite"] {
            daemon.store.copy()
            try daemon.wait { folder.names.contains(name) ? true : nil }
        }
        try createGames(9...Self.numberOfGames, daemon)
        try play(daemon, "quiet")
        try writeNote(daemon, folder)
        killed = try files(of: folder)
        daemon.close()
        stopped = try files(of: folder)
    }

    private mutating func createGames(
        _ numbers: ClosedRange<Int>, _ daemon: GamesStoreFixture
    ) throws {
        for number in numbers {
            daemon.games.create(
                GameSeed(try teams(number), created: UTCTime(seconds: 1_790_000_000)))
            try settle(daemon)
        }
    }

    /// Each game gets three moves, and its clock is started or stopped.
    private mutating func play(_ daemon: GamesStoreFixture, _ secret: String) throws {
        try daemon.set(secret, of: "me")
        for step in 0..<4 {
            daemon.time.move(to: Instant(microseconds: daemon.time.now.microseconds + 250_000))
            for id in daemon.games.ids {
                let player = PlayerID.all[(step + id.number) % 6]
                let move = Move(Move.Kind.allCases[step % 5], by: player)
                daemon.games.propose(step == 2 ? .togglePause : .move(move), to: id)
                try settle(daemon)
            }
        }
    }

    private mutating func settle(_ daemon: GamesStoreFixture) throws {
        #expect(try daemon.settle().allSatisfy { $0 == .applied })
        newest = try daemon.values()
        for (name, value) in newest { answered[name, default: []].insert(value) }
    }

    /// Waits until no removal is left and the note is in the file.
    private func writeNote(_ daemon: GamesStoreFixture, _ folder: Folder) throws {
        let newest = daemon.libraries.applied
        try daemon.wait { () -> Bool? in
            daemon.time.move(to: Instant(microseconds: daemon.time.now.microseconds + 1))
            daemon.store.note(time: daemon.time.now, number: newest)
            guard let copy = try? folder.copy() else { return nil }
            let isNoted = try? copy.integer("state.sqlite", "SELECT n FROM note") == newest
            let count = try? copy.integer("state.sqlite", "SELECT count(*) FROM removal")
            return isNoted == true && count == 0 ? true : nil
        }
    }

    private func files(of folder: Folder) throws -> Files {
        try folder.names.filter { $0 != "store.lock" }.map { name in
            // Without the zeros that make room in the log, which would only take time here.
            let isLog = name == "log.sqlite-wal"
            return (name, try isLog ? folder.writtenWAL() : TestSupport.bytes(of: folder(name)))
        }
    }

    private func teams(_ number: Int) throws -> Teams {
        func team(_ name: String) throws -> Team {
            let players = try ["Ann", "Bo", "Cy"].map { try Name("\($0) \(name)") }
            return try #require(Team(name: try Name(name), players: players))
        }
        return Teams(home: try team("Hawks \(number)"), away: try team("Jets \(number)"))
    }
}

/// A daemon that has games too.
final class GamesStoreFixture: StoreFixture {
    private(set) lazy var games = Library<Game>(libraries)

    override func makeLibraries() { _ = games }

    /// Each thing as JSON, by its name.
    func values() throws -> [String: String] {
        var values: [String: String] = [:]
        for id in games.ids {
            values["game \(id.text)"] = try games[id].map { try sharedText($0) } ?? "unreadable"
        }
        for id in tallies.ids { values["tally \(id.text)"] = tallies[id]?.name ?? "unreadable" }
        for id in secrets.ids {
            values["secret \(id.text)"] = secrets[id]?.text ?? "unreadable"
        }
        return values
    }
}
